// Writes a file so that a reader sees the old content or the new one, never a part.
import { dirname } from "node:path";
import { type Disk, Draft, makeDirectory, nodeDisk, syncDirectory, unlinkIfPresent } from "../disk/index.ts";
import { explaining } from "../error.ts";

/**
 * @effects creates missing directories (0700), writes beside the file (0600), flushes, renames, flushes the directories
 * @error  StorageError; the old content is untouched, unless only the last flush failed
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  disk: Disk = nodeDisk,
): Promise<void> {
  await explaining("write_failed", path, async () => {
    const directory = dirname(path);
    const changed = await makeDirectory(disk, directory);
    const draft = await Draft.create(disk, directory, "draft");
    try {
      await draft.write(typeof content === "string" ? new TextEncoder().encode(content) : content);
      await draft.sync();
      await draft.renameTo(path);
    } catch (error) {
      await draft.discard();
      throw error;
    }
    for (const each of [...changed, directory]) await syncDirectory(disk, each);
  });
}

/** Removes a file; false when it was not there. */
export async function removeFile(path: string, disk: Disk = nodeDisk): Promise<boolean> {
  return await explaining("write_failed", path, () => unlinkIfPresent(disk, path));
}
