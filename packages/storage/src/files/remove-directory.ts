// Removes a directory so that whoever looks for it finds all of it or nothing.
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { errorCode } from "@codelia/shared-types";
import { type Disk, nodeDisk, quietly, syncDirectory, unlinkIfPresent } from "../disk/index.ts";
import { explaining } from "../error.ts";

const removedPattern = /^\.removed-[0-9a-f]{16}$/;

/**
 * @effects the directory gets, at once, a name that nobody looks for, and is then removed with all that is in it; links
 *          in it are not followed. Both steps are flushed
 * @error  StorageError: it is there as it was, or its rest lies beside it under the name that the error tells
 */
export async function removeDirectory(path: string, disk: Disk = nodeDisk): Promise<void> {
  const folder = dirname(path);
  const removed = join(folder, `.removed-${randomBytes(8).toString("hex")}`);
  await explaining("write_failed", path, async () => {
    await disk.rename(path, removed);
    await syncDirectory(disk, folder);
  });
  await explaining("write_failed", removed, async () => {
    await removeAll(disk, removed);
    await syncDirectory(disk, folder);
  });
}

/** Removes what a `removeDirectory` left that was ended before it was through. What the system refuses stays. */
export async function sweepRemoved(folder: string, disk: Disk = nodeDisk): Promise<void> {
  await quietly(async () => {
    for (const { name } of await disk.readdir(folder)) {
      if (removedPattern.test(name)) await quietly(() => removeAll(disk, join(folder, name)));
    }
  });
}

/** Another process may be at the same work. */
async function removeAll(disk: Disk, path: string): Promise<void> {
  for (const entry of await orIfAbsent(() => disk.readdir(path), [])) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) await removeAll(disk, inner);
    else await unlinkIfPresent(disk, inner);
  }
  await orIfAbsent(() => disk.rmdir(path), undefined);
}

async function orIfAbsent<T>(action: () => Promise<T>, absent: T): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return absent;
    throw error;
  }
}
