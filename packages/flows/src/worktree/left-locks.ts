// Lock files of a git that was killed together with the run that had started it. Git itself never removes them.
import { dirname, join, resolve } from "node:path";
import { isProgramIn, readSmallFile, removeFile } from "@codelia/storage";
import type { WorkPlaces } from "./begin.ts";
import type { HeldIssue } from "./claim.ts";
import { branchRef } from "./names.ts";

/** Those that only work on this issue takes; the rest of the repository is everybody's. */
const ownLocks = ["index.lock", "HEAD.lock"];

/**
 * Only where the issue was taken over from a process that died, and no git is seen at work in its worktree: then whoever
 * took the locks is gone.
 *
 * @effects removes lock files of the worktree and of the issue's branch
 */
export async function clearLeftLocks(
  places: WorkPlaces,
  { takenOverFrom }: HeldIssue,
  { worktree, branch }: { readonly worktree: string; readonly branch: string },
): Promise<void> {
  if (takenOverFrom === undefined) return;
  const { fs, disk, repository } = places;
  const entry = await entryOf(places, worktree);
  const paths = [
    join(repository.gitDirectory, `${branchRef(branch)}.lock`),
    ...(entry === undefined ? [] : ownLocks.map((name) => join(entry, name))),
  ];
  for (const path of paths) {
    if ((await fs.lstat(path))?.kind !== "file") continue;
    if (isProgramIn(worktree, "git")) return;
    await removeFile(path, disk);
  }
}

/** Git's own folder for the worktree. @output undefined: there is none, or the pointer leads elsewhere */
async function entryOf(
  { fs, repository: { gitDirectory } }: WorkPlaces,
  worktree: string,
): Promise<string | undefined> {
  const pointer = await readSmallFile(fs, join(worktree, ".git"), 8192).catch(() => undefined);
  const target = pointer?.outcome === "text" ? /^gitdir: (.+)\n?$/.exec(pointer.text)?.[1] : undefined;
  if (target === undefined) return undefined;
  const entry = resolve(worktree, target);
  return dirname(entry) === join(gitDirectory, "worktrees") ? entry : undefined;
}
