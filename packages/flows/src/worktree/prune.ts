// Removes worktrees whose loss would lose nothing. Git itself is asked without force, as a second pair of eyes.
import { AgentError } from "../error.ts";
import type { WorkPlaces } from "./begin.ts";
import { holdIssue } from "./claim.ts";
import { inTurn } from "./in-turn.ts";
import { type IssueWorktree, listIssueWorktrees, lookAtIssue, reasonsToKeep } from "./list.ts";
import { branchRef } from "./names.ts";
import { listWorktrees } from "./repository.ts";

export interface Pruned {
  readonly issue: number;
  readonly branch: string;
  readonly path: string;
  readonly removed: boolean;
  /** Why it was kept; for one that was removed, where its commits are. */
  readonly reasons: readonly string[];
}

/**
 * @input  issues: only these, also when their run is not finished; undefined: all that are finished
 * @output one entry for each that was looked at
 * @effects removes worktree, branch and claim of those that hold nothing of their own
 */
export async function pruneWorktrees(
  places: WorkPlaces,
  issues: readonly number[] | undefined,
): Promise<Pruned[]> {
  const found = await listIssueWorktrees(places);
  const pruned: Pruned[] = [];
  for (const worktree of found) {
    if (issues !== undefined && !issues.includes(worktree.issue)) continue;
    pruned.push(await pruneOne(places, worktree, issues !== undefined));
  }
  for (const issue of issues ?? []) {
    if (found.some((worktree) => worktree.issue === issue)) continue;
    pruned.push({ issue, branch: "", path: "", removed: false, reasons: ["there is no work on it here"] });
  }
  return pruned;
}

async function pruneOne(places: WorkPlaces, before: IssueWorktree, isNamed: boolean): Promise<Pruned> {
  const { issue, branch, path, claim } = before;
  const kept = (reasons: readonly string[]): Pruned => ({ issue, branch, path, removed: false, reasons });
  const reasons = reasonsToKeep(before);
  if (reasons.length > 0) return kept(reasons);
  if (!isNamed && claim?.state !== "finished") {
    return kept([
      `run ${claim?.run ?? "?"} did not finish it; to remove it all the same: codelia worktrees prune ${issue}`,
    ]);
  }
  try {
    const held = await holdIssue(places, issue);
    try {
      // Looked at again, now that nobody can begin to work there.
      const known = await listWorktrees(places.git, places.repository.root);
      const now = await lookAtIssue(places, issue, known);
      if (now === undefined || now.kept.length > 0) return kept(now?.kept ?? []);
      await remove(places, now);
      await held.forget();
    } finally {
      await held.release();
    }
    return { issue, branch, path, removed: true, reasons: [] };
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    return kept([error.message]);
  }
}

async function remove(places: WorkPlaces, { path, branch, head, isThere }: IssueWorktree): Promise<void> {
  const { git, repository } = places;
  const cwd = repository.root;
  await inTurn(places, "worktree", async () => {
    if (isThere) await git.read(["worktree", "remove", "--", path], { cwd });
    else await git.read(["worktree", "prune"], { cwd });
  });
  // Only where it was looked at: a branch that moved since is kept.
  if (head !== undefined) await git.read(["update-ref", "-d", branchRef(branch), head], { cwd });
}
