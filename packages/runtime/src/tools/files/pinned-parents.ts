// The directory for a new file, created with its missing parents, and removed again when nothing came of it.

import { basename, dirname } from "node:path";
import { errorCode } from "@codelia/shared-types";
import type { Disk } from "./disk.ts";
import { PinnedDirectory } from "./pinned-directory.ts";

export interface PinnedParents {
  readonly directory: PinnedDirectory;
  /** Removes the directories that were created, as far as they are empty. */
  removeCreated(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @input  a directory's path without links; it need not exist
 * @effects creates what is missing of it, never through a link
 */
export async function pinWithParents(disk: Disk, path: string, shown: string): Promise<PinnedParents> {
  const { directory: top, missing } = await nearestExisting(disk, path, shown);
  const chain = [top];
  const created: { directory: PinnedDirectory; name: string }[] = [];
  const removeCreated = async () => {
    for (const { directory, name } of created.splice(0).toReversed()) await rmdirIfEmpty(directory, name);
  };
  const close = async () => {
    for (const directory of chain.splice(0)) await directory[Symbol.asyncDispose]();
  };
  let directory = top;
  try {
    for (const name of missing) {
      if (await mkdirIfAbsent(directory, name)) created.push({ directory, name });
      await directory.sync();
      directory = await directory.enter(name, shown);
      chain.push(directory);
    }
  } catch (error) {
    await removeCreated();
    await close();
    throw error;
  }
  return { directory, removeCreated, close };
}

async function nearestExisting(disk: Disk, path: string, shown: string) {
  const missing: string[] = [];
  for (let current = path; ; current = dirname(current)) {
    try {
      return { directory: await PinnedDirectory.pin(disk, current, shown), missing: missing.toReversed() };
    } catch (error) {
      if (errorCode(error) !== "ENOENT" || dirname(current) === current) throw error;
      missing.push(basename(current));
    }
  }
}

async function mkdirIfAbsent(directory: PinnedDirectory, name: string): Promise<boolean> {
  try {
    await directory.mkdir(name);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

async function rmdirIfEmpty(directory: PinnedDirectory, name: string): Promise<void> {
  try {
    await directory.rmdir(name);
  } catch (error) {
    // Someone put a file there meanwhile; it stays.
    if (errorCode(error) === undefined) throw error;
  }
}
