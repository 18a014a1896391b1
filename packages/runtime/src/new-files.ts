// Makes the files of something new. Nothing that is there is changed, and no link of a repository is followed out of it.
import { constants } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "@codelia/core";
import { ProtocolError } from "@codelia/protocol";
import { errorCode, visibleName } from "@codelia/shared-types";
import { type Disk, storageError, writeAll } from "@codelia/storage";
import type { RuntimeEnvironment } from "./environment.ts";

export interface NewFile {
  readonly path: string;
  readonly text: string;
}

/**
 * @input  folder: where the new directory is made; files: below `folder`, in the directory `name`
 * @output the paths of the files
 * @effects makes the directory and the files
 * @error  ProtocolError refused: there is something of that name; StorageError
 */
export async function makeNewFiles(
  disk: Disk,
  folder: string,
  name: string,
  files: readonly NewFile[],
): Promise<string[]> {
  await makeFolder(disk, folder);
  await claim(disk, join(folder, name));
  const made: string[] = [];
  for (const { path, text } of files) {
    const whole = join(folder, path);
    await makeFolder(disk, dirname(whole));
    await create(disk, whole, text);
    made.push(whole);
  }
  return made;
}

/**
 * A repository could have a link there that leads to somewhere else.
 *
 * @input  folder: two names below `root`
 * @error  ProtocolError refused, with `hint`
 */
export async function mustStayInside(
  { fs }: RuntimeEnvironment,
  folder: string,
  root: string,
  hint: string,
): Promise<void> {
  const realRoot = (await fs.realPath(root)) ?? root;
  for (const path of [dirname(folder), folder]) {
    if ((await fs.lstat(path)) === undefined) return;
    const real = await fs.realPath(path);
    if (real !== undefined && isInside(real, realRoot)) continue;
    throw new ProtocolError(
      "refused",
      `${visibleName(path)}: this link leads out of the project${real === undefined ? "" : `, to ${visibleName(real)}`}`,
      hint,
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
