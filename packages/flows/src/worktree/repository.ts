// The repository that worktrees belong to: where its main worktree is, and which others there are.
import { resolve } from "node:path";
import { visibleName } from "@codelia/shared-types";
import { ConfigurationError } from "../error.ts";
import { type Git, lastLines } from "./git.ts";

export interface Repository {
  /** The main worktree, or the repository itself when it is bare: `.worktrees` is below it. */
  readonly root: string;
  /** The git directory that all worktrees share. */
  readonly gitDirectory: string;
}

/** A worktree as git knows it. */
export interface KnownWorktree {
  readonly path: string;
  readonly head: string | undefined;
  /** `refs/heads/…`; undefined when the head is detached. */
  readonly branch: string | undefined;
  readonly isBare: boolean;
  /** Why git may not remove it; empty when nobody said why. */
  readonly locked: string | undefined;
}

/** @error ConfigurationError NotARepository */
export async function openRepository(git: Git, cwd: string): Promise<Repository> {
  const found = await git.try(["rev-parse", "--path-format=absolute", "--git-common-dir"], { cwd });
  if (found.exitCode !== 0) {
    throw new ConfigurationError(
      "NotARepository",
      `${visibleName(cwd)} is not in a git repository, and work on an issue needs one: ${lastLines(found.stderr)}`,
    );
  }
  const gitDirectory = found.stdout.replace(/\n$/, "");
  const [main] = await listWorktrees(git, cwd);
  return { root: main?.path ?? resolve(gitDirectory, ".."), gitDirectory };
}

/** The main one first. */
export async function listWorktrees(git: Git, cwd: string): Promise<KnownWorktree[]> {
  const listing = await git.read(["worktree", "list", "--porcelain", "-z"], { cwd });
  return listing
    .split("\0\0")
    .filter((entry) => entry !== "")
    .map(knownWorktree);
}

function knownWorktree(entry: string): KnownWorktree {
  const fields = new Map<string, string>();
  for (const line of entry.split("\0")) {
    const at = line.indexOf(" ");
    fields.set(at === -1 ? line : line.slice(0, at), at === -1 ? "" : line.slice(at + 1));
  }
  return {
    path: fields.get("worktree") ?? "",
    head: fields.get("HEAD"),
    branch: fields.get("branch"),
    isBare: fields.has("bare"),
    locked: fields.get("locked"),
  };
}
