// `skills.validate`: everything that is wrong with skills, for those who write them.
import { resolve } from "node:path";
import { defaultSettings } from "@codelia/config";
import { directoriesBetween } from "@codelia/core";
import { type Params, ProtocolError, type Result, type WireSkillProblem } from "@codelia/protocol";
import { visibleName } from "@codelia/shared-types";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { locateProject, type Project } from "../project/index.ts";
import { openSkills, type SkillValidation, skillRoots, validateSkills } from "../skills/index.ts";
import { projectSkillFolders } from "./skill-access.ts";
import { wireSkillError, wireSkillProblem } from "./skill-wire.ts";

/** Only reads, and shows what it read to the one who asked: so no project has to be trusted for it. */
export async function validateSkillFiles(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, paths }: Params<"skills.validate">,
): Promise<Result<"skills.validate">> {
  const named = paths.map((path) => resolve(cwd, path));
  const project = named.length > 0 ? undefined : await locateProject(environment, options, cwd);
  const folders = project === undefined ? named : await foldersOf(environment, project);
  const validations: SkillValidation[] = [];
  for (const folder of new Set(folders)) validations.push(await validateSkills(folder));
  // Two of the folders may lie in each other.
  const skills = [
    ...new Map(validations.flatMap((each) => each.skills.map((skill) => [skill.path, skill]))).values(),
  ].map(({ path, name, problems }) => ({
    path,
    ...(name === undefined ? {} : { name }),
    problems: problems.map(wireSkillProblem),
  }));
  const problems = validations.flatMap((each) => each.problems.map(wireSkillProblem));
  const ofSkills = skills.flatMap((skill) => skill.problems);
  if (project !== undefined) {
    problems.push(...(await onlyInProject(environment, project, [...problems, ...ofSkills])));
  }
  const all = [...problems, ...ofSkills];
  return {
    skills,
    problems,
    error_count: all.filter(({ severity }) => severity === "error").length,
    warning_count: all.filter(({ severity }) => severity === "warning").length,
  };
}

type Place = Pick<Project, "root" | "cwd">;

async function foldersOf({ fs }: RuntimeEnvironment, project: Place): Promise<string[]> {
  const folders: string[] = [];
  for (const folder of projectSkillFolders(project)) {
    if ((await fs.lstat(folder)) !== undefined) folders.push(folder);
  }
  if (folders.length > 0) return folders;
  throw new ProtocolError(
    "not_found",
    `${visibleName(project.root.path)}: this project has no skills (no .agents/skills from its root to ${visibleName(project.cwd)})`,
    "Name a folder of skills, or make a skill: codelia skills new NAME",
  );
}

/** What is wrong only where it lies: a link that leads out of the project is none of a folder that is named. */
async function onlyInProject(
  { userHome, disk, now }: RuntimeEnvironment,
  { root, cwd }: Place,
  reported: readonly { readonly path: string }[],
): Promise<WireSkillProblem[]> {
  const chain = directoriesBetween(root.path, cwd);
  const roots = skillRoots({ chain, root: root.path, userHome }).filter(({ scope }) => scope === "repo");
  const { catalog } = await openSkills({
    roots,
    settings: defaultSettings.skills,
    indexDirectory: undefined,
    disk,
    now,
  });
  const paths = new Set(reported.map(({ path }) => path));
  return catalog.errors
    .filter(({ path }) => !paths.has(path))
    .map((error) => ({ severity: "error", ...wireSkillError(error) }));
}
