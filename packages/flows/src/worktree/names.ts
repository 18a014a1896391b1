// One issue, one branch, one worktree, one instance: their names.
import { join } from "node:path";

export const worktreesFolder = ".worktrees";

export function branchOf(issue: number): string {
  return `feature/issue-${issue}`;
}

export function branchRef(branch: string): string {
  return `refs/heads/${branch}`;
}

export function folderOf(issue: number): string {
  return `issue-${issue}`;
}

/** @input root: of the repository's main worktree */
export function worktreeOf(root: string, issue: number): string {
  return join(root, worktreesFolder, folderOf(issue));
}

/** `agent-issue-12-20260102T030405678Z`: sorts by its time. */
export function instanceOf(issue: number, now: Date): string {
  return `agent-issue-${issue}-${now.toISOString().replaceAll(/[-:.]/g, "")}`;
}

/** @output the issue that a branch belongs to */
export function issueOfBranch(ref: string | undefined): number | undefined {
  const digits = ref?.match(/^refs\/heads\/feature\/issue-([1-9]\d{0,8})$/)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
