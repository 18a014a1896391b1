// The worktrees of issues, with who works on each and what keeps it from being removed.
import type { WorkClaim } from "@codelia/shared-types";
import type { RefusedLock } from "@codelia/storage";
import type { WorkPlaces } from "./begin.ts";
import { claimedIssues, ownerName, ownerOfIssue, readClaim } from "./claim.ts";
import { branchOf, branchRef, issueOfBranch, worktreeOf } from "./names.ts";
import { type KnownWorktree, listWorktrees } from "./repository.ts";
import { lookAtWorktree, someFiles, unpushedCommits, type WorktreeState } from "./state.ts";

export interface IssueWorktree {
  readonly issue: number;
  readonly branch: string;
  readonly path: string;
  /** Absent for a branch that no run made. */
  readonly claim: WorkClaim | undefined;
  /** Who works on it now. */
  readonly owner: RefusedLock | undefined;
  readonly isThere: boolean;
  readonly head: string | undefined;
  readonly state: WorktreeState | undefined;
  /** What would be lost with it; whoever works there comes on top. */
  readonly kept: readonly string[];
}

/** @output why it is not removed; empty when nothing would be lost */
export function reasonsToKeep({ owner, kept }: Pick<IssueWorktree, "owner" | "kept">): string[] {
  return [...(owner === undefined ? [] : [`in use by ${ownerName(owner.owner)}`]), ...kept];
}

/** @output those that a claim, a worktree or a branch tells of, by their number @effects none */
export async function listIssueWorktrees(places: WorkPlaces): Promise<IssueWorktree[]> {
  const { git, repository } = places;
  const known = await listWorktrees(git, repository.root);
  const issues = new Set([
    ...(await claimedIssues(places)),
    ...known.flatMap(({ branch }) => issueOfBranch(branch) ?? []),
  ]);
  const found: IssueWorktree[] = [];
  for (const issue of [...issues].toSorted((a, b) => a - b)) {
    const worktree = await lookAtIssue(places, issue, known);
    if (worktree !== undefined) found.push(worktree);
  }
  return found;
}

/** @output undefined when nothing is left of the issue's work */
export async function lookAtIssue(
  places: WorkPlaces,
  issue: number,
  known: readonly KnownWorktree[],
): Promise<IssueWorktree | undefined> {
  const { git, repository, fs } = places;
  const branch = branchOf(issue);
  const claim = await readClaim(places, issue);
  const path = claim?.worktree ?? worktreeOf(repository.root, issue);
  const entry = known.find((worktree) => worktree.path === path || worktree.branch === branchRef(branch));
  const head = await git.commitOf(branchRef(branch), repository.root);
  const owner = await ownerOfIssue(places, issue);
  if (claim === undefined && entry === undefined && owner === undefined) return undefined;
  const place = entry?.path ?? path;
  const isThere = (await fs.lstat(place)) !== undefined && entry !== undefined;
  const origins = claim === undefined ? [] : [claim.origin.ref, claim.origin.commit];
  const state = isThere ? await lookAtWorktree(places, place, branch, origins) : undefined;
  const unpushed = state?.unpushed ?? (await unpushedCommits(places, [head], origins));
  const kept = whatWouldBeLost({ claim, entry, state, unpushed, branch });
  return { issue, branch, path: place, claim, owner, isThere, head, state, kept };
}

interface Findings {
  readonly claim: WorkClaim | undefined;
  readonly entry: KnownWorktree | undefined;
  readonly state: WorktreeState | undefined;
  readonly unpushed: number;
  readonly branch: string;
}

function whatWouldBeLost({ claim, entry, state, unpushed, branch }: Findings): string[] {
  const { uncommitted = [], underWay, submodules = [] } = state ?? {};
  const commits = unpushed === 1 ? "1 commit is" : `${unpushed} commits are`;
  const reasons: (string | false)[] = [
    claim === undefined && "no run of Codelia made it",
    entry?.locked !== undefined &&
      `locked by git${entry.locked === "" ? "" : ` (${entry.locked})`}: git worktree unlock`,
    uncommitted.length > 0 && `not committed: ${someFiles(uncommitted)}`,
    unpushed > 0 && `${commits} on no remote and not in the branch that it derives from`,
    underWay !== undefined && `${underWay} is under way`,
    submodules.length > 0 && `holds other repositories: ${someFiles(submodules)}`,
    entry?.branch !== undefined && entry.branch !== branchRef(branch) && `is on ${entry.branch}`,
  ];
  return reasons.filter((reason) => reason !== false);
}
