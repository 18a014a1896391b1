// `worktrees.list`, `worktrees.prune` and `worktrees.unlock`.
import {
  type IssueWorktree,
  listIssueWorktrees,
  ownerName,
  pruneWorktrees,
  reasonsToKeep,
  unlockIssue,
} from "@codelia/flows";
import type { Params, Result } from "@codelia/protocol";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { openWorkPlaces } from "../issues/index.ts";
import { openProject } from "../project/index.ts";

export async function listWorktrees(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd }: Params<"worktrees.list">,
): Promise<Result<"worktrees.list">> {
  const places = await openWorkPlaces(environment, await openProject(environment, options, cwd));
  const worktrees = await listIssueWorktrees(places);
  return { root: places.repository.root, worktrees: worktrees.map(wireWorktree) };
}

export async function pruneIssueWorktrees(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, issues }: Params<"worktrees.prune">,
): Promise<Result<"worktrees.prune">> {
  const places = await openWorkPlaces(environment, await openProject(environment, options, cwd));
  const pruned = await pruneWorktrees(places, issues);
  return { worktrees: pruned.map((each) => ({ ...each, reasons: [...each.reasons] })) };
}

export async function unlockWorktree(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, issue }: Params<"worktrees.unlock">,
): Promise<Result<"worktrees.unlock">> {
  const places = await openWorkPlaces(environment, await openProject(environment, options, cwd));
  const owner = await unlockIssue(places, issue);
  return owner === undefined ? {} : { owner };
}

function wireWorktree(worktree: IssueWorktree): Result<"worktrees.list">["worktrees"][number] {
  const { issue, branch, path, claim, owner, state } = worktree;
  return {
    issue,
    branch,
    path,
    state: stateOf(worktree),
    ...(claim === undefined ? {} : wireClaim(claim)),
    ...(owner === undefined ? {} : { owner: ownerName(owner.owner) }),
    uncommitted: state?.uncommitted.length ?? 0,
    unpushed: state?.unpushed ?? 0,
    kept: reasonsToKeep(worktree),
  };
}

function wireClaim({ agent, run, instance, since, origin }: NonNullable<IssueWorktree["claim"]>) {
  const { branch, source, from, commit } = origin;
  return { agent, run_id: run, instance, since, origin: { branch, source, from, commit } };
}

function stateOf({ owner, claim }: IssueWorktree): Result<"worktrees.list">["worktrees"][number]["state"] {
  if (owner !== undefined) return "running";
  if (claim === undefined) return "foreign";
  return claim.state === "finished" ? "finished" : "interrupted";
}
