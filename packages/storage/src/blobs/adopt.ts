// Gives one directory all blobs of another: by a second name where the file system has them, else by a copy.
import { errorCode } from "@codelia/shared-types";
import { type Disk, makeDirectory, nodeDisk, syncDirectory } from "../disk/index.ts";
import { explaining } from "../error.ts";
import { isBlobId } from "./blob-id.ts";
import type { Blobs } from "./blobs.ts";

/** @effects when this returns, the blobs are on disk, flushed @error StorageError; what was adopted by then stays */
export async function adoptBlobs(from: Blobs, to: Blobs, disk: Disk = nodeDisk): Promise<void> {
  const ids = await explaining("unreadable", from.directory, () => idsIn(disk, from.directory));
  if (ids.length === 0) return;
  await explaining("write_failed", to.directory, async () => {
    const changed = await makeDirectory(disk, to.directory);
    for (const id of ids) await adopt(disk, id, from, to);
    for (const each of [...changed, to.directory]) await syncDirectory(disk, each);
  });
}

async function adopt(disk: Disk, id: string, from: Blobs, to: Blobs): Promise<void> {
  try {
    await disk.link(from.pathOf(id), to.pathOf(id));
  } catch (error) {
    if (errorCode(error) !== "EEXIST") await to.put(await from.read(id));
  }
}

async function idsIn(disk: Disk, directory: string): Promise<string[]> {
  try {
    return (await disk.readdir(directory)).map(({ name }) => name).filter(isBlobId);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}
