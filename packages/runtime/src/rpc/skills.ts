// `skills.list`, `skills.search`, `skills.show`, and what `context.inspect` says of skills.
import { type Params, ProtocolError, type Result } from "@codelia/protocol";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { openProject, type Project, projectNotices } from "../project/index.ts";
import { loadSkill } from "../skills/index.ts";
import { looksAtProject, openAllSkills, openProjectSkills } from "./skill-access.ts";
import { chooseSkill, untrusted } from "./skill-choice.ts";
import { wireFrontmatter, wireSkill, wireSkillError } from "./skill-wire.ts";

export async function listSkills(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, force_reload }: Params<"skills.list">,
): Promise<Result<"skills.list">> {
  const project = await openProject(environment, options, cwd);
  const { catalog, disabled } = await openProjectSkills(environment, project, {
    isIndexed: force_reload !== true,
  });
  return {
    ...around(project),
    skills: catalog.skills.map(wireSkill),
    disabled: disabled.map(wireSkill),
    errors: catalog.errors.map(wireSkillError),
    truncated: catalog.truncated,
  };
}

export async function searchSkills(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, query, limit, scope }: Params<"skills.search">,
): Promise<Result<"skills.search">> {
  const project = await openProject(environment, options, cwd);
  if (scope === "repo" && !looksAtProject(project)) throw untrusted(project);
  const found = (await openProjectSkills(environment, project)).search(query, { limit, scope });
  return {
    ...around(project),
    results: found.results.map(({ skill, score, reason }) => ({ skill: wireSkill(skill), score, reason })),
    count: found.count,
    truncated: found.truncated,
  };
}

/** Shows a skill that is switched off too: its user decides whether to switch it on by what it says. */
export async function showSkill(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, name, path }: Params<"skills.show">,
): Promise<Result<"skills.show">> {
  const project = await openProject(environment, options, cwd);
  const all = await openAllSkills(environment, project);
  const resolved = await chooseSkill(environment, project, all, { name, path });
  const load = await loadSkill(resolved, { disk: environment.disk });
  if (!load.ok) throw new ProtocolError("unreadable", load.failure.message);
  const { disabled } = await openProjectSkills(environment, project);
  const { text, sha256, files, filesTruncated, frontmatter } = load.loaded;
  return {
    skill: wireSkill(resolved.skill),
    frontmatter: wireFrontmatter(frontmatter),
    disabled: disabled.some(({ id }) => id === resolved.skill.id),
    sha256,
    text,
    files: [...files],
    files_truncated: filesTruncated,
    notices: projectNotices(project),
  };
}

/** What a session that starts here would be told of skills. */
export async function skillsContext(
  environment: RuntimeEnvironment,
  project: Project,
): Promise<NonNullable<Result<"context.inspect">["skills"]>> {
  const { enabled, initial } = project.settings.values.skills;
  const skills = await openProjectSkills(environment, project);
  const { text, shown, total, truncated } = skills.initialCatalog();
  return {
    enabled,
    ...(text === undefined ? {} : { text }),
    bytes: text === undefined ? 0 : Buffer.byteLength(text),
    max_bytes: initial.maxBytes,
    max_entries: initial.maxEntries,
    shown: shown.length,
    total,
    disabled: skills.disabled.length,
    truncated: truncated || skills.catalog.truncated,
    errors: skills.catalog.errors.map(wireSkillError),
  };
}

function around(project: Project): Pick<Result<"skills.list">, "enabled" | "root" | "notices"> {
  return {
    enabled: project.settings.values.skills.enabled,
    root: project.root.path,
    notices: projectNotices(project),
  };
}
