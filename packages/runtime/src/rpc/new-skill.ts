// `skills.new`: a skill to begin with. Making files needs no trust; nothing of the project is read.
import { constants } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isInside } from "@codelia/core";
import { type Params, ProtocolError, type Result } from "@codelia/protocol";
import { errorCode, skillNamePattern, visibleName } from "@codelia/shared-types";
import { type Disk, storageError, writeAll } from "@codelia/storage";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
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
  const files = skillSkeleton(name, description).map(({ path, text }) => ({
    path: join(folder, path),
    text,
  }));
  await makeFolder(environment.disk, folder);
  await claim(environment.disk, join(folder, name));
  for (const { path, text } of files) {
    await makeFolder(environment.disk, dirname(path));
    await create(environment.disk, path, text);
  }
  return { name, path: join(folder, name, "SKILL.md"), files: files.map(({ path }) => path), notices };
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
  await mustStayInside(environment, folder, root);
  return { folder, notices: projectNotices(project) };
}

/** A repository could have a link there that leads to somewhere else. */
async function mustStayInside({ fs }: RuntimeEnvironment, folder: string, root: string): Promise<void> {
  const realRoot = (await fs.realPath(root)) ?? root;
  for (const path of [dirname(folder), folder]) {
    if ((await fs.lstat(path)) === undefined) return;
    const real = await fs.realPath(path);
    if (real !== undefined && isInside(real, realRoot)) continue;
    throw new ProtocolError(
      "refused",
      `${visibleName(path)}: this link leads out of the project${real === undefined ? "" : `, to ${visibleName(real)}`}`,
      "Name the folder yourself: codelia skills new NAME --dir PATH",
    );
  }
}

/** Like any new directory of the user's, unlike those of Codelia's home. */
async function makeFolder(disk: Disk, path: string): Promise<void> {
  try {
    await disk.mkdir(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || dirname(path) === path) throw storageError("write_failed", path, error);
    await makeFolder(disk, dirname(path));
    await makeFolder(disk, path);
  }
}

async function claim(disk: Disk, path: string): Promise<void> {
  try {
    await disk.mkdir(path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw storageError("write_failed", path, error);
    throw new ProtocolError(
      "refused",
      `${visibleName(path)}: this is there already, and was not changed`,
      "Choose another name, or remove it first.",
    );
  }
}

const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

async function create(disk: Disk, path: string, text: string): Promise<void> {
  try {
    const file = await disk.open(path, createFlags, 0o666);
    try {
      await writeAll(file, new TextEncoder().encode(text));
    } finally {
      await file.close();
    }
  } catch (error) {
    throw storageError("write_failed", path, error);
  }
}
