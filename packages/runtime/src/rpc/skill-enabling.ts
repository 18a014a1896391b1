// `skills.set_enabled`: which skills the user switched off, kept in the user's config.json.
import { normalize } from "node:path";
import { type ConfigEdit, editUserConfig } from "@codelia/config";
import type { Params, Result } from "@codelia/protocol";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { openProject, readUserSettings } from "../project/index.ts";
import type { ResolvedSkill, SkillSelector, Skills } from "../skills/index.ts";
import { openAllSkills } from "./skill-access.ts";
import { chooseSkill } from "./skill-choice.ts";
import { wireSkill } from "./skill-wire.ts";

const key = ["skills", "disabled"];

/**
 * A name is about all skills that have it; a path about one.
 * @effects changes the list `skills.disabled` in the user's config.json, unless it says so already
 */
export async function setSkillEnabled(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, name, path, enabled }: Params<"skills.set_enabled">,
): Promise<Result<"skills.set_enabled">> {
  const project = await openProject(environment, options, cwd);
  const written = (await readUserSettings(environment, { settings: [] })).values.skills.disabled;
  const all = await openAllSkills(environment, project);
  const skills = chosen(all, { name, path });
  const leftOver = enabled ? written.filter((entry) => entry === name || entry === path) : [];
  // An entry for a skill that is gone can still be taken out. Everything else is an error that says why.
  if (skills.length === 0 && leftOver.length === 0) {
    await chooseSkill(environment, project, all, { name, path });
  }
  const edits = enabled ? enabling(all, skills, leftOver, written) : disabling(skills, name, written);
  const { file, changed } = await editUserConfig(environment, edits);
  return { enabled, changed, file, skills: skills.map(({ skill }) => wireSkill(skill)) };
}

function chosen(all: Skills, { name, path }: SkillSelector): ResolvedSkill[] {
  if (path === undefined) return namesakes(all, name ?? "");
  const found = all.resolve({ name, path });
  return found.ok ? [found.resolved] : [];
}

function namesakes(all: Skills, name: string): ResolvedSkill[] {
  return all.catalog.skills
    .filter((skill) => skill.name === name)
    .flatMap(({ path }) => {
      const found = all.resolve({ path });
      return found.ok ? [found.resolved] : [];
    });
}

/** Whether an entry of the list switches this skill off. */
function isAbout(entry: string, { skill, realPath, realDir }: ResolvedSkill): boolean {
  if (!entry.includes("/")) return entry === skill.name;
  return [skill.path, skill.dir, realPath, realDir].includes(normalize(entry));
}

function disabling(
  skills: readonly ResolvedSkill[],
  name: string | undefined,
  written: readonly string[],
): ConfigEdit[] {
  return skills
    .filter((skill) => !written.some((entry) => isAbout(entry, skill)))
    .map(({ skill }) => ({ action: "add", key, value: name ?? skill.path }));
}

function enabling(
  all: Skills,
  skills: readonly ResolvedSkill[],
  leftOver: readonly string[],
  written: readonly string[],
): ConfigEdit[] {
  const entries = written.filter((entry) => skills.some((skill) => isAbout(entry, skill)));
  // A name may have switched off others with it: they stay as they are.
  const others = entries
    .flatMap((entry) => namesakes(all, entry))
    .filter(({ realPath }) => !skills.some((skill) => skill.realPath === realPath));
  return [
    ...[...leftOver, ...entries].map((value): ConfigEdit => ({ action: "remove", key, value })),
    ...others.map(({ skill }): ConfigEdit => ({ action: "add", key, value: skill.path })),
  ];
}
