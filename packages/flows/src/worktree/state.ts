// What a worktree holds that would be lost with it.
import { join } from "node:path";
import { type FileSystem, visibleName } from "@codelia/shared-types";
import type { Git } from "./git.ts";
import type { Repository } from "./repository.ts";

export interface WorktreeState {
  /** Files that are changed or new and not committed. */
  readonly uncommitted: readonly string[];
  /** Commits that neither a remote has, as far as is known here, nor the branch that it derives from. */
  readonly unpushed: number;
  /** A merge, rebase or the like that was not ended. */
  readonly underWay: string | undefined;
  /** Submodules that are checked out: they have repositories of their own. */
  readonly submodules: readonly string[];
}

interface Place {
  readonly git: Git;
  readonly fs: FileSystem;
  readonly repository: Repository;
}

const operations: readonly (readonly [file: string, name: string])[] = [
  ["MERGE_HEAD", "a merge"],
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a revert"],
  ["BISECT_LOG", "a bisect"],
];

/** @input worktree: that is there; origins: refs whose commits are safe, those that exist count */
export async function lookAtWorktree(
  place: Place,
  worktree: string,
  branch: string,
  origins: readonly string[],
): Promise<WorktreeState> {
  const { git, fs } = place;
  const directory = (await git.read(["rev-parse", "--absolute-git-dir"], { cwd: worktree })).replace(
    /\n$/,
    "",
  );
  const started = await Promise.all(
    operations.map(async ([file, name]) =>
      (await fs.lstat(join(directory, file))) === undefined ? undefined : name,
    ),
  );
  return {
    uncommitted: await uncommittedFiles(git, worktree),
    unpushed: await unpushedCommits(place, [await headOf(git, worktree), `refs/heads/${branch}`], origins),
    underWay: started.find((name) => name !== undefined),
    submodules: await checkedOutRepositories(git, fs, worktree),
  };
}

/** Submodules are not entered: each has a config of its own, which would be read and followed. */
const closedStatus = ["status", "--porcelain", "-z", "--no-renames", "--ignore-submodules=dirty"];

export async function uncommittedFiles(git: Git, worktree: string): Promise<string[]> {
  const status = await git.read([...closedStatus, "--untracked-files=all"], { cwd: worktree });
  return status
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => entry.slice(3));
}

/** @output how many commits of the tips are in no remote's branch and in none of the origins */
export async function unpushedCommits(
  { git, repository: { root } }: Pick<Place, "git" | "repository">,
  tips: readonly (string | undefined)[],
  origins: readonly string[],
): Promise<number> {
  const known = await Promise.all(
    [...origins, ...tips].map(async (name) =>
      name === undefined ? undefined : await git.commitOf(name, root),
    ),
  );
  const safe = known.slice(0, origins.length).filter((commit) => commit !== undefined);
  const wanted = known.slice(origins.length).filter((commit) => commit !== undefined);
  if (wanted.length === 0) return 0;
  const counted = await git.read(["rev-list", "--count", ...wanted, "--not", ...safe, "--remotes"], {
    cwd: root,
  });
  return Number(counted.trim());
}

/** @output paths of gitlinks that are populated: submodules, or repositories that somebody made there */
export async function checkedOutRepositories(git: Git, fs: FileSystem, worktree: string): Promise<string[]> {
  const listing = await git.read(["ls-files", "--stage", "-z"], { cwd: worktree });
  const links = listing
    .split("\0")
    .filter((entry) => entry.startsWith("160000 "))
    .map((entry) => entry.slice(entry.indexOf("\t") + 1));
  const found = await Promise.all(
    links.map(async (path) => (await fs.lstat(join(worktree, path, ".git"))) !== undefined),
  );
  return links.filter((_, index) => found[index]);
}

async function headOf(git: Git, worktree: string): Promise<string | undefined> {
  return await git.commitOf("HEAD", worktree);
}

/** @output the first few of them, for one line of text */
export function someFiles(paths: readonly string[], most = 3): string {
  const shown = paths.slice(0, most).map(visibleName).join(", ");
  return paths.length > most ? `${shown} and ${paths.length - most} more` : shown;
}
