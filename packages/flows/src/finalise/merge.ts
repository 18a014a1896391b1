// Merges the branch of an issue into the one that it derives from, without touching anybody's files unless that branch
// is checked out; there git itself refuses where somebody's changes would be lost.
import { type IssueWork, visibleName } from "@codelia/shared-types";
import type { Probe } from "../connection/index.ts";
import { ConfigurationError, ExecutionError } from "../error.ts";
import {
  branchRef,
  gitFailed,
  inTurn,
  lastLines,
  listWorktrees,
  someFiles,
  type WorkPlaces,
} from "../worktree/index.ts";
import type { Done } from "./host-effects.ts";

// Others may move the branch between two looks; whoever loses this often has met a loop, not a race.
const maxAttempts = 20;

/**
 * @output the commit that the branch is at afterwards
 * @effects the origin branch moves, by a fast-forward or a merge; its worktree follows
 * @error  ExecutionError MergeConflict, MergeBlocked: nothing was changed; ConfigurationError OriginNotLocal
 */
export async function mergeIntoOrigin(places: WorkPlaces, work: IssueWork, commit: string): Promise<Done> {
  return await inTurn(places, "merge", async () => {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const merged = await tryMerge(places, work, commit);
      if (merged !== undefined) return { commit: merged };
    }
    throw new ExecutionError(
      "MergeBlocked",
      `${work.origin.branch} moves all the time. Resume the run later.`,
    );
  });
}

export async function probeMerge(
  { git, repository: { root } }: WorkPlaces,
  work: IssueWork,
  commit: string,
): Promise<Probe<Done>> {
  const tip = await git.commitOf(branchRef(work.origin.branch), root);
  if (tip === undefined) return { state: "not_done" };
  const isIn = await git.try(["merge-base", "--is-ancestor", commit, tip], { cwd: root });
  return isIn.exitCode === 0 ? { state: "done", result: { commit: tip } } : { state: "not_done" };
}

/** @output undefined when the branch moved meanwhile */
async function tryMerge(places: WorkPlaces, work: IssueWork, commit: string): Promise<string | undefined> {
  const { git, repository } = places;
  const cwd = repository.root;
  const { branch: into } = work.origin;
  const tip = await git.commitOf(branchRef(into), cwd);
  if (tip === undefined) {
    throw new ConfigurationError(
      "OriginNotLocal",
      `${visibleName(into)} is no branch of this repository, so that nothing can be merged into it here. Make it: git branch ${visibleName(into)} ${visibleName(work.origin.ref)}.`,
    );
  }
  const isAncestor = async (one: string, other: string) =>
    (await git.try(["merge-base", "--is-ancestor", one, other], { cwd })).exitCode === 0;
  if (await isAncestor(commit, tip)) return tip;
  const target = (await isAncestor(tip, commit)) ? commit : await mergeCommit(places, work, tip, commit);
  return (await advance(places, into, tip, target)) ? target : undefined;
}

async function mergeCommit(
  { git, repository }: WorkPlaces,
  work: IssueWork,
  tip: string,
  commit: string,
): Promise<string> {
  const cwd = repository.root;
  const args = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", tip, commit];
  const merged = await git.try(args, { cwd });
  const [tree = "", ...conflicts] = merged.stdout.split("\0").filter((part) => part !== "");
  if (merged.exitCode === 1) {
    throw new ExecutionError(
      "MergeConflict",
      `${work.branch} conflicts with ${visibleName(work.origin.branch)} in ${someFiles(conflicts)}. Nothing was merged. Merge ${visibleName(work.origin.branch)} into it in ${visibleName(work.worktree)}, commit, then resume.`,
    );
  }
  if (merged.exitCode !== 0) throw gitFailed(args, merged);
  const input = `Merge ${work.branch} into ${work.origin.branch}\n`;
  return (await git.read(["commit-tree", tree, "-p", tip, "-p", commit, "-F", "-"], { cwd, input })).trim();
}

async function advance(
  { git, repository }: WorkPlaces,
  branch: string,
  tip: string,
  target: string,
): Promise<boolean> {
  const ref = branchRef(branch);
  const checkedOut = (await listWorktrees(git, repository.root)).find((worktree) => worktree.branch === ref);
  const cwd = checkedOut?.path ?? repository.root;
  const args =
    checkedOut === undefined
      ? ["update-ref", "-m", "codelia: merge", ref, target, tip]
      : ["merge", "--ff-only", "--quiet", "--no-stat", "--no-autostash", "--no-verify-signatures", target];
  const moved = await git.try(args, { cwd });
  if (moved.exitCode === 0) return true;
  if ((await git.commitOf(ref, repository.root)) !== tip) return false;
  if (checkedOut === undefined) throw gitFailed(args, moved);
  throw new ExecutionError(
    "MergeBlocked",
    `${visibleName(branch)} is checked out in ${visibleName(cwd)}, and its files could not be brought along: ${lastLines(moved.stderr)}. Commit or stash your changes there, then resume.`,
  );
}
