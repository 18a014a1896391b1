// What a git that was killed while it entered a worktree leaves behind.
import { join } from "node:path";
import { type FileSystem, visibleName } from "@codelia/shared-types";
import { type Disk, readSmallFile, removeDirectory } from "@codelia/storage";
import { ExecutionError } from "../error.ts";
import type { Repository } from "./repository.ts";

interface Places {
  readonly fs: FileSystem;
  readonly disk: Disk;
  readonly repository: Repository;
}

/**
 * @input  path: of a worktree that nobody has worked in yet
 * @effects removes git's own pointer file and nothing else from the folder, and git's unfinished entry for it
 * @error  ExecutionError WorktreeExists when somebody put anything else there
 */
export async function clearHalfMade(places: Places, path: string): Promise<void> {
  const { fs, disk, repository } = places;
  const found = await fs.lstat(path);
  if (found !== undefined) {
    const names = found.kind === "directory" ? (await disk.readdir(path)).map(({ name }) => name) : [path];
    if (names.some((name) => name !== ".git")) {
      throw new ExecutionError(
        "WorktreeExists",
        `${visibleName(path)} is there, and holds what this run did not put there. Move it away, then resume.`,
      );
    }
    await removeDirectory(path, disk);
  }
  await removeUnfinishedEntries(places, join(repository.gitDirectory, "worktrees"), path);
}

/** Git locks an entry while it makes it (`initializing`); one without its pointer is in no list and never pruned. */
async function removeUnfinishedEntries({ fs, disk }: Places, folder: string, path: string): Promise<void> {
  const entries = (await fs.stat(folder)) === undefined ? [] : await disk.readdir(folder);
  for (const { name } of entries) {
    const entry = join(folder, name);
    const locked = await readSmallFile(fs, join(entry, "locked"), 4096);
    if (locked.outcome !== "text" || locked.text.trim() !== "initializing") continue;
    const pointer = await readSmallFile(fs, join(entry, "gitdir"), 8192);
    const target = pointer.outcome === "text" ? pointer.text.trim() : "";
    const isOurs = target === join(path, ".git");
    // Another issue's git may be at it this moment: an entry without pointer is only taken when its name is ours.
    const isNameless = target === "" && path.endsWith(`/${name}`);
    if (isOurs || isNameless) await removeDirectory(entry, disk);
  }
}
