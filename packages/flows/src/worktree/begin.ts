// Takes an issue for a new run, or for one that goes on. Whoever comes second leaves no trace.
import { type IssueWork, visibleName, type WorkClaim, workClaimFormat } from "@codelia/shared-types";
import { ExecutionError } from "../error.ts";
import { type ClaimPlace, type HeldIssue, holdIssue } from "./claim.ts";
import type { Git, Waiting } from "./git.ts";
import { branchOf, branchRef, worktreeOf } from "./names.ts";
import type { Repository } from "./repository.ts";

export interface WorkPlaces extends ClaimPlace, Waiting {
  readonly git: Git;
  readonly repository: Repository;
}

/** The run that works on an issue. */
export interface Worker {
  readonly run: string;
  readonly agent: string;
}

/**
 * @output the issue, held for a new run: neither its branch nor its worktree is there yet
 * @effects the lock alone
 * @error  ExecutionError IssueInUse, IssueTaken, BranchExists, WorktreeExists; nothing is held then
 */
export async function takeNewIssue(places: WorkPlaces, issue: number, remote: string): Promise<HeldIssue> {
  const held = await holdIssue(places, issue);
  try {
    await requireUntouched(places, issue, remote, await held.claim());
    return held;
  } catch (error) {
    await held.release();
    throw error;
  }
}

/**
 * @output the issue, held for the run that has it
 * @error  ExecutionError IssueInUse; IssueTaken when another run has it
 */
export async function retakeIssue(places: WorkPlaces, work: IssueWork, { run }: Worker): Promise<HeldIssue> {
  const issue = work.issue.number;
  const held = await holdIssue(places, issue);
  try {
    const claim = await held.claim();
    if (claim !== undefined && claim.run !== run) throw taken(claim);
    return held;
  } catch (error) {
    await held.release();
    throw error;
  }
}

export function claimOf(work: IssueWork, { run, agent }: Worker, now: Date): WorkClaim {
  const { issue, instance, branch, worktree, origin } = work;
  return {
    format: workClaimFormat,
    issue: issue.number,
    run,
    agent,
    instance,
    branch,
    worktree,
    origin,
    since: now.toISOString(),
    state: "claimed",
  };
}

async function requireUntouched(
  { git, repository: { root }, fs }: WorkPlaces,
  issue: number,
  remote: string,
  claim: WorkClaim | undefined,
): Promise<void> {
  const branch = branchOf(issue);
  if ((await git.commitOf(branchRef(branch), root)) !== undefined) {
    // Without its branch a claim holds nothing: whoever made it died before there was anything to lose.
    if (claim !== undefined) throw taken(claim);
    throw branchExists(branch);
  }
  const remoteRef = `refs/remotes/${remote}/${branch}`;
  if ((await git.commitOf(remoteRef, root)) !== undefined) {
    throw new ExecutionError(
      "BranchExists",
      `${visibleName(remote)} has a branch ${branch} already: somebody works on issue ${issue} elsewhere, or did. If it is gone, run git fetch --prune ${visibleName(remote)}; if it is no longer needed, delete it there first.`,
    );
  }
  const path = worktreeOf(root, issue);
  if ((await fs.lstat(path)) !== undefined) {
    throw new ExecutionError(
      "WorktreeExists",
      `${visibleName(path)} is there already, and only a resumed run uses a worktree that is. Move it away, or remove it with git worktree remove.`,
    );
  }
}

export function branchExists(branch: string): ExecutionError {
  return new ExecutionError(
    "BranchExists",
    `The branch ${branch} is there already, and no run of Codelia made it. Rename or delete it: git branch -m ${branch} NEW-NAME.`,
  );
}

function taken({ issue, run, agent, since, branch }: WorkClaim): ExecutionError {
  return new ExecutionError(
    "IssueTaken",
    `Issue ${issue} belongs to run ${visibleName(run)} (agent ${visibleName(agent)}, since ${visibleName(since)}), which works on ${branch}. Go on with it: codelia agent resume ${visibleName(run)}. To begin anew, remove it first: codelia worktrees prune ${issue}.`,
  );
}
