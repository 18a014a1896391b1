// `skills.new`: a skill to begin with. Making files needs no trust; nothing of the project is read.
import { join, resolve } from "node:path";
import { type Params, ProtocolError, type Result } from "@codelia/protocol";
import { skillNamePattern, visibleName } from "@codelia/shared-types";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { makeNewFiles, mustStayInside } from "../new-files.ts";
import { openProject, projectNotices } from "../project/index.ts";
import { skillFolder, skillSkeleton } from "../skills/index.ts";

const maxNameLength = 64;
const maxDescriptionLength = 1024;

/** @effects makes a directory with the files of a skill; nothing that is there is changed */
export async function newSkill(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  params: Params<"skills.new">,
): Promise<Result<"skills.new">> {
  const { name } = params;
  const description = params.description?.trim() ?? `Say here what ${name} does and when to use it.`;
  checkName(name);
  checkDescription(description);
  const { folder, notices } = await placeOf(environment, options, params);
  const files = await makeNewFiles(environment.disk, folder, name, skillSkeleton(name, description));
  return { name, path: join(folder, name, "SKILL.md"), files, notices };
}

function checkName(name: string): void {
  if (skillNamePattern.test(name) && name.length <= maxNameLength) return;
  const suggestion = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{Mn}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, maxNameLength)
    .replaceAll(/^-+|-+$/g, "");
  throw new ProtocolError(
    "invalid_params",
    `${visibleName(name)}: this is not a name for a skill: write at most ${maxNameLength} lower-case letters (a-z) and digits, in words joined by single hyphens`,
    suggestion === "" ? "For example: release-notes" : `For example: ${suggestion}`,
  );
}

function checkDescription(description: string): void {
  const length = Array.from(description).length;
  if (length > 0 && length <= maxDescriptionLength) return;
  throw new ProtocolError(
    "invalid_params",
    length === 0 ? "the description is blank" : `the description has ${length} characters`,
    `Say in 1 to ${maxDescriptionLength} characters what the skill does and when to use it.`,
  );
}

async function placeOf(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, place, dir }: Params<"skills.new">,
): Promise<{ folder: string; notices: string[] }> {
  if (place === "user") return { folder: skillFolder(environment.userHome), notices: [] };
  if (place === "dir") return { folder: resolve(cwd, dir ?? "."), notices: [] };
  const project = await openProject(environment, options, cwd);
  const root = project.root.path;
  const folder = skillFolder(root);
  const hint = "Name the folder yourself: codelia skills new NAME --dir PATH";
  await mustStayInside(environment, folder, root, hint);
  return { folder, notices: projectNotices(project) };
}
