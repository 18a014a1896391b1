// `worktrees.list`, `worktrees.prune` and `worktrees.unlock`.
import {
  type IssueWorktree,
  listIssueWorktrees,
  ownerName,
  pruneWorktrees,
  type RunStanding,
  reasonsToKeep,
  unlockIssue,
} from "@codelia/flows";
import type { Params, Result } from "@codelia/protocol";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { standingOfRun } from "../flows/index.ts";
import { openWorkPlaces } from "../issues/index.ts";
import { openProject } from "../project/index.ts";

export async function listWorktrees(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd }: Params<"worktrees.list">,
): Promise<Result<"worktrees.list">> {
  const project = await openProject(environment, options, cwd);
  const places = await openWorkPlaces(environment, project);
  const scope = { codeliaHome: project.codeliaHome, repository: project.trust.identity };
  const standingOf: StandingOf = (run) => standingOfRun(environment.disk, scope, run);
  const worktrees: WireWorktree[] = [];
  for (const worktree of await listIssueWorktrees(places)) {
    worktrees.push(wireWorktree(worktree, await stateOf(worktree, standingOf)));
  }
  return { root: places.repository.root, worktrees };
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

type WireWorktree = Result<"worktrees.list">["worktrees"][number];
type StandingOf = (run: string) => Promise<RunStanding>;

function wireWorktree(worktree: IssueWorktree, shown: WireWorktree["state"]): WireWorktree {
  const { issue, branch, path, claim, owner, state } = worktree;
  return {
    issue,
    branch,
    path,
    state: shown,
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

async function stateOf(
  { owner, claim }: IssueWorktree,
  standingOf: StandingOf,
): Promise<WireWorktree["state"]> {
  if (owner !== undefined) return "running";
  if (claim === undefined) return "foreign";
  if (claim.state === "finished") return "finished";
  return (await standingOf(claim.run)) === "open" ? "interrupted" : "failed";
}
