// Directories that are the user's alone, and names in them that last through a power cut.
import { dirname } from "node:path";
import { errorCode } from "@codelia/shared-types";
import type { Disk, DiskFile } from "./disk.ts";
import { directoryFlags } from "./flags.ts";
import { quietly } from "./quietly.ts";

/**
 * @effects creates the directory and those above it that are missing, with mode 0700
 * @output  the directories that got a new name; they have to be flushed for it to last
 */
export async function makeDirectory(disk: Disk, path: string): Promise<string[]> {
  try {
    return (await mkdirIfAbsent(disk, path)) ? [dirname(path)] : [];
  } catch (error) {
    if (errorCode(error) !== "ENOENT" || dirname(path) === path) throw error;
  }
  const above = await makeDirectory(disk, dirname(path));
  return (await mkdirIfAbsent(disk, path)) ? [...above, dirname(path)] : above;
}

async function mkdirIfAbsent(disk: Disk, path: string): Promise<boolean> {
  try {
    await disk.mkdir(path, 0o700);
    return true;
  } catch (error) {
    // What is there may be a file; whoever uses it as a directory is told so by the system.
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

// The file system cannot, or the directory may be entered but not listed; the change has happened all the same.
const cannotFlush = new Set(["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EACCES", "EPERM"]);

/** Makes new, renamed and removed names in a directory last, where the system can. */
export async function syncDirectory(disk: Disk, path: string): Promise<void> {
  // Windows cannot open a directory.
  if (process.platform === "win32") return;
  let directory: DiskFile | undefined;
  try {
    directory = await disk.open(path, directoryFlags);
    await directory.sync();
  } catch (error) {
    if (!cannotFlush.has(errorCode(error) ?? "")) throw error;
  } finally {
    await quietly(async () => directory?.close());
  }
}

/** @output false when it was not there */
export async function unlinkIfPresent(disk: Disk, path: string): Promise<boolean> {
  try {
    await disk.unlink(path);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}
