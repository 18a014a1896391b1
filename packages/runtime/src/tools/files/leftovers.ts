// Temporary files of a change that was ended in the middle.
import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { type Disk, quietly } from "@codelia/storage";
import { PinnedDirectory } from "./pinned-directory.ts";

/** A name for a file of ours: without the other file's name, which may already be as long as a name can be. */
export function temporaryNameOf(owner = ""): string {
  return `.codelia-${owner}${randomBytes(6).toString("hex")}.tmp`;
}

/**
 * @input  paths: files that were to be changed; owner: as it was given to `temporaryNameOf`, and nobody else's
 * @effects removes what has such a name beside them; what the system refuses is left lying
 */
export async function removeLeftovers(disk: Disk, paths: readonly string[], owner: string): Promise<void> {
  for (const path of new Set(paths.map((each) => dirname(each)))) {
    await quietly(async () => {
      await using directory = await PinnedDirectory.pin(disk, path, path);
      for (const { name } of await directory.entries()) {
        if (name.startsWith(`.codelia-${owner}`) && name.endsWith(".tmp"))
          await directory.unlinkIfPresent(name);
      }
    });
  }
}
