// What makes a project the same project: the git directory that all its worktrees share, by real path.
import { basename, dirname, join, resolve } from "node:path";
import type { FileSystem } from "@codelia/shared-types";
import { readSmallFile } from "@codelia/storage";

const maxPointerBytes = 8192;

/**
 * @output real path of the repository's common git directory, or of the root where there is none
 * @effects reads only the pointer files of a worktree
 *
 * A checkout can claim anything in its own `.git` file. It shares a repository's identity only when that
 * repository names it as one of its worktrees; everything else is a project of its own.
 */
export async function projectIdentity(fs: FileSystem, root: string): Promise<string> {
  const realRoot = (await fs.realPath(root)) ?? root;
  const git = join(realRoot, ".git");
  const stat = await fs.lstat(git);
  if (stat?.kind === "directory") return git;
  if (stat?.kind !== "file") return realRoot;
  return (await commonDirectoryOfWorktree(fs, git)) ?? realRoot;
}

async function commonDirectoryOfWorktree(fs: FileSystem, git: string): Promise<string | undefined> {
  const pointer = (await line(fs, git))?.match(/^gitdir: (.+)$/)?.[1];
  if (pointer === undefined) return undefined;
  const gitDirectory = await fs.realPath(resolve(dirname(git), pointer));
  if (gitDirectory === undefined || basename(dirname(gitDirectory)) !== "worktrees") return undefined;
  const back = await line(fs, join(gitDirectory, "gitdir"));
  if (back === undefined || (await fs.realPath(resolve(gitDirectory, back))) !== git) return undefined;
  const common = await line(fs, join(gitDirectory, "commondir"));
  const commonDirectory = common === undefined ? undefined : await fs.realPath(resolve(gitDirectory, common));
  return commonDirectory === dirname(dirname(gitDirectory)) ? commonDirectory : undefined;
}

async function line(fs: FileSystem, path: string): Promise<string | undefined> {
  const file = await readSmallFile(fs, path, maxPointerBytes);
  return file.outcome === "text" ? file.text.trimEnd() : undefined;
}
