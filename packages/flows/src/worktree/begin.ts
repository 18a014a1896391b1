// Takes an issue for a new run, or for one that goes on. Whoever comes second leaves no trace.
import { type IssueWork, visibleName, type WorkClaim, workClaimFormat } from "@codelia/shared-types";
import { ExecutionError } from "../error.ts";
import { type ClaimPlace, type HeldIssue, holdIssue } from "./claim.ts";
import type { Git, Waiting } from "./git.ts";
import { branchOf, branchRef, worktreeOf } from "./names.ts";
import type { Repository } from "./repository.ts";
import { uncommittedFiles, unpushedCommits } from "./state.ts";

export interface WorkPlaces extends ClaimPlace, Waiting {
  readonly git: Git;
  readonly repository: Repository;
}

/** The run that works on an issue. */
export interface Worker {
  readonly run: string;
  readonly agent: string;
}

/** What became of a run. `gone`: nothing of it is on disk. `open`: it can be resumed. */
export type RunStanding = "gone" | "open" | "ended";

export interface NewIssue {
  readonly issue: number;
  readonly remote: string;
  /** Whether the new run may work on in what one that has ended left. */
  readonly again: boolean;
  readonly standingOf: (run: string) => Promise<RunStanding>;
}

export interface TakenIssue {
  readonly held: HeldIssue;
  /** Of the run that has ended, and whose branch and worktree the new one works on in. */
  readonly left: WorkClaim | undefined;
}

/**
 * @output the issue, held for a new run. Without `left` neither its branch nor its worktree is there yet, or both are
 *         left of a run that died before it began, and hold nothing
 * @effects the lock alone
 * @error  ExecutionError IssueInUse, IssueTaken, BranchExists, WorktreeExists; nothing is held then
 */
export async function takeNewIssue(places: WorkPlaces, wanted: NewIssue): Promise<TakenIssue> {
  const held = await holdIssue(places, wanted.issue);
  try {
    return { held, left: await leftWork(places, wanted, await held.claim()) };
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
    mark: `codelia: ${instance}, run ${run}`,
    worktree,
    origin,
    since: now.toISOString(),
    state: "claimed",
  };
}

/** @output what there is to work on in; undefined: nothing, and nothing stands in the way */
async function leftWork(
  places: WorkPlaces,
  { issue, remote, again, standingOf }: NewIssue,
  claim: WorkClaim | undefined,
): Promise<WorkClaim | undefined> {
  const { git, repository, fs } = places;
  const { root } = repository;
  const branch = branchOf(issue);
  const path = worktreeOf(root, issue);
  // Before the branch, which comes first into being: who meets another's claim is told of that.
  const isThere = (await fs.lstat(path)) !== undefined;
  // Without its branch a claim holds nothing: whoever made it died before there was anything to lose.
  if ((await git.commitOf(branchRef(branch), root)) !== undefined) {
    const standing = claim === undefined ? "gone" : await standingOf(claim.run);
    if (claim !== undefined && standing === "open") throw taken(claim);
    if (claim === undefined || !(await isBranchOfClaim(places, claim))) throw branchExists(branch);
    if (standing === "gone" && (await holdsNothing(places, claim))) return undefined;
    if (again) return claim;
    throw left(claim);
  }
  const remoteRef = `refs/remotes/${remote}/${branch}`;
  if ((await git.commitOf(remoteRef, root)) !== undefined) {
    throw new ExecutionError(
      "BranchExists",
      `${visibleName(remote)} has a branch ${branch} already: somebody works on issue ${issue} elsewhere, or did. If it is gone, run git fetch --prune ${visibleName(remote)}; if it is no longer needed, delete it there first.`,
    );
  }
  if (isThere) {
    throw new ExecutionError(
      "WorktreeExists",
      `${visibleName(path)} is there already, and only a resumed run uses a worktree that is. Move it away, or remove it with git worktree remove.`,
    );
  }
  return undefined;
}

/** Until a claim says `ready`, nobody can have worked in its worktree. */
async function holdsNothing(places: WorkPlaces, claim: WorkClaim): Promise<boolean> {
  const { branch, origin, worktree, state } = claim;
  if ((await unpushedCommits(places, [branchRef(branch)], [origin.ref, origin.commit])) > 0) return false;
  if (state === "claimed" || (await places.fs.lstat(worktree)) === undefined) return true;
  return (await uncommittedFiles(places.git, worktree)).length === 0;
}

/** Others, with another home, may have made the same branch at the same commit. */
export async function isBranchOfClaim(
  { git, repository }: Pick<WorkPlaces, "git" | "repository">,
  { branch, mark }: WorkClaim,
): Promise<boolean> {
  const args = ["log", "--walk-reflogs", "--format=%gs", branchRef(branch), "--"];
  return (await git.read(args, { cwd: repository.root })).trimEnd().split("\n").at(-1) === mark;
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
    `Issue ${issue} belongs to run ${visibleName(run)} (agent ${visibleName(agent)}, since ${visibleName(since)}), which works on ${branch}. Go on with it: codelia agent resume ${visibleName(run)}.`,
  );
}

function left(claim: WorkClaim): ExecutionError {
  const { issue, run, state } = claim;
  const what =
    state === "finished"
      ? `was finished by run ${visibleName(run)}`
      : `was worked on by run ${visibleName(run)}, which has ended without finishing it`;
  return new ExecutionError(
    "IssueTaken",
    `Issue ${issue} ${what}. ${wayOn(claim)}\nTo begin anew, remove it first: codelia worktrees prune ${issue}.`,
  );
}

/** What a run that has ended left, and how another one works on in it. */
export function wayOn({
  issue,
  agent,
  branch,
  worktree,
}: Pick<WorkClaim, "issue" | "agent" | "branch" | "worktree">): string {
  return `What it did is kept: ${branch} in ${visibleName(worktree)}. To work on there: codelia agent run ${visibleName(agent)} --issue ${issue} --again`;
}
