// Makes the branch and the worktree of an issue. Each step can be done again after a crash within it.
import { join } from "node:path";
import { type IssueWork, visibleName, type WorkClaim } from "@codelia/shared-types";
import { ExecutionError } from "../error.ts";
import { branchExists, claimOf, isBranchOfClaim, type Worker, type WorkPlaces } from "./begin.ts";
import type { HeldIssue } from "./claim.ts";
import { excludeWorktrees } from "./exclude.ts";
import { gitFailed } from "./git.ts";
import { clearHalfMade } from "./half-made.ts";
import { inTurn } from "./in-turn.ts";
import { clearLeftLocks } from "./left-locks.ts";
import { branchRef, worktreesFolder } from "./names.ts";
import { type KnownWorktree, listWorktrees } from "./repository.ts";

/**
 * @input  held: by the run of `worker`, new or resumed
 * @output the claim; its branch and its worktree are there, and the worktree is on the branch
 * @effects the claim's note, a branch that was not there before, the worktree, one line of `info/exclude`; after a crash
 *          the lock files that its git left in the worktree are removed
 * @error  ExecutionError BranchExists, WorktreeMoved, BranchDeleted, GitFailed; nothing is removed then
 */
export async function prepareWorktree(
  places: WorkPlaces,
  held: HeldIssue,
  work: IssueWork,
  worker: Worker,
): Promise<WorkClaim> {
  const known = await held.claim();
  const claim = known?.run === worker.run ? known : newClaim(places, work, worker, known);
  if (claim !== known) await held.note(claim);
  await clearLeftLocks(places, held, claim);
  try {
    await ensureBranch(places, claim);
  } catch (error) {
    // The branch is somebody else's: nothing may say that it is ours.
    if (known === undefined) await held.forget();
    throw error;
  }
  await requireOwnFolder(places);
  await excludeWorktrees(places, places.repository.gitDirectory);
  if (claim.state === "claimed") {
    await makeWorktree(places, claim);
    const ready: WorkClaim = { ...claim, state: "ready" };
    await held.note(ready);
    return ready;
  }
  await requireWorktree(places, claim);
  return claim;
}

/**
 * What a run left that died before it began holds nothing: this run takes its place, on the same branch. What one left
 * that worked is used as it is.
 */
function newClaim(
  { now }: WorkPlaces,
  work: IssueWork,
  worker: Worker,
  left: WorkClaim | undefined,
): WorkClaim {
  const claim = claimOf(work, worker, now());
  if (left === undefined) return claim;
  return { ...claim, mark: left.mark, ...(work.after === left.run ? { state: "ready" } : {}) };
}

/** Created by exactly one: git refuses the second. */
async function ensureBranch(places: WorkPlaces, claim: WorkClaim): Promise<void> {
  const { git, repository } = places;
  const { branch, origin, state, mark } = claim;
  const cwd = repository.root;
  const ref = branchRef(branch);
  const there = await git.commitOf(ref, cwd);
  if (state !== "claimed") {
    if (there !== undefined) return;
    throw new ExecutionError(
      "BranchDeleted",
      `The branch ${branch} of this run is gone. Its last commit is in the worktree's reflog; make the branch again with git branch ${branch} COMMIT, then resume.`,
    );
  }
  // After a crash it may be there already; nobody has worked on it yet.
  if (there !== undefined && !(await isBranchOfClaim(places, claim))) throw branchExists(branch);
  if (there === origin.commit) return;
  // An old value that is empty says that the ref must not exist yet.
  const args = ["update-ref", "--create-reflog", "-m", mark, ref, origin.commit, there ?? ""];
  const created = await git.try(args, { cwd });
  if (created.exitCode === 0) return;
  if ((await git.commitOf(ref, cwd)) !== undefined) throw branchExists(branch);
  throw gitFailed(args, created);
}

/** A repository can hold anything under this name, also a way out of itself. */
async function requireOwnFolder({ fs, repository: { root } }: WorkPlaces): Promise<void> {
  const path = join(root, worktreesFolder);
  const found = await fs.lstat(path);
  if (found === undefined || found.kind === "directory") return;
  throw new ExecutionError(
    "WorktreeExists",
    `${visibleName(path)} is not a directory, and worktrees of issues belong there. Move it away.`,
  );
}

/**
 * Two steps, so that a crash within either is told apart: git enters the worktree, then the files are checked out.
 * Until the claim says `ready` nobody has worked there.
 */
async function makeWorktree(places: WorkPlaces, claim: WorkClaim): Promise<void> {
  const { git, repository } = places;
  const { worktree, branch } = claim;
  const entered = await findWorktree(places, worktree);
  if (entered?.branch !== branchRef(branch) || !(await isUsable(places, worktree))) {
    // One at a time: git reads the entries of all worktrees, and stumbles over one that is half made.
    await inTurn(places, "worktree", async () => {
      await clearHalfMade(places, worktree);
      const args = ["worktree", "add", "--force", "--force", "--no-checkout", "--", worktree, branch];
      await git.read(args, { cwd: repository.root });
    });
  }
  await git.read(["reset", "--hard", "--quiet"], { cwd: worktree });
}

async function requireWorktree(places: WorkPlaces, { worktree, branch }: WorkClaim): Promise<void> {
  const known = await findWorktree(places, worktree);
  const isThere = (await places.fs.lstat(worktree)) !== undefined;
  if (!isThere) {
    // Removed by hand. What was committed is on the branch.
    const args = ["worktree", "add", "--force", "--", worktree, branch];
    await inTurn(places, "worktree", () => places.git.read(args, { cwd: places.repository.root }));
    return;
  }
  if (known?.branch === branchRef(branch)) return;
  const where =
    known === undefined ? "is not a worktree of this repository" : `is on ${known.branch ?? "no branch"}`;
  throw new ExecutionError(
    "WorktreeMoved",
    `${visibleName(worktree)} ${where}, and this run works on ${branch} there. Check that branch out in it, then resume.`,
  );
}

async function findWorktree(
  { git, repository: { root } }: WorkPlaces,
  path: string,
): Promise<KnownWorktree | undefined> {
  return (await listWorktrees(git, root)).find((worktree) => worktree.path === path);
}

async function isUsable({ git }: WorkPlaces, path: string): Promise<boolean> {
  const found = await git.try(["rev-parse", "--show-toplevel"], { cwd: path }).catch(() => undefined);
  return found?.exitCode === 0 && found.stdout.replace(/\n$/, "") === path;
}
