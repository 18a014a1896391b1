// The commit check: what the flow left in its worktree is on the branch, all of it, before anything is done with it.
import { type IssueWork, visibleName } from "@codelia/shared-types";
import { ExecutionError } from "../error.ts";
import {
  branchRef,
  checkedOutRepositories,
  lookAtWorktree,
  someFiles,
  uncommittedFiles,
  type WorkPlaces,
} from "../worktree/index.ts";
import type { HostEffects } from "./host-effects.ts";

/**
 * @output the branch's last commit; the worktree holds nothing besides
 * @effects one commit, when something is left and the plan says `all`
 * @error  ExecutionError NothingCommitted, UncommittedChanges, WorktreeMoved
 */
export async function requireCommitted(
  places: WorkPlaces,
  work: IssueWork,
  run: string,
  effects: HostEffects,
): Promise<string> {
  const { git } = places;
  const { worktree, branch, origin, finalise } = work;
  const head = await git.try(["symbolic-ref", "--quiet", "HEAD"], { cwd: worktree });
  if (head.stdout.trim() !== branchRef(branch)) {
    throw new ExecutionError(
      "WorktreeMoved",
      `${visibleName(worktree)} is not on ${branch} any more. Check it out there.`,
    );
  }
  const left = await uncommittedFiles(git, worktree);
  if (left.length > 0) {
    if (finalise.commit === "require") throw uncommitted(left);
    await requireCommittable(places, work, left);
    const parent = await git.read(["rev-parse", "HEAD"], { cwd: worktree });
    await effects.perform({
      intent: { kind: "commit", parent: parent.trim() },
      act: () => commitAll(places, work, run, parent.trim()),
      // A commit moves the branch at once: what is left now was not committed.
      probe: async () => ({ state: "not_done" }),
    });
    const still = await uncommittedFiles(git, worktree);
    if (still.length > 0) throw uncommitted(still);
  }
  const commit = await git.commitOf(branchRef(branch), worktree);
  if (commit !== undefined && commit !== origin.commit) return commit;
  throw new ExecutionError(
    "NothingCommitted",
    `The flow ended and changed nothing: ${branch} is still where it began, at ${origin.branch}.`,
  );
}

/** A folder that is a repository of its own cannot be committed; a half-done merge must not be. */
async function requireCommittable(
  places: WorkPlaces,
  work: IssueWork,
  left: readonly string[],
): Promise<void> {
  const { worktree, branch } = work;
  const nested = left.filter((path) => path.endsWith("/"));
  if (nested.length > 0) {
    throw new ExecutionError(
      "UncommittedChanges",
      `${someFiles(nested)} in ${visibleName(worktree)} is a repository of its own and cannot be committed. Remove it or add it as a submodule, then resume.`,
    );
  }
  const { underWay } = await lookAtWorktree(places, worktree, branch, []);
  if (underWay === undefined) return;
  throw new ExecutionError(
    "UncommittedChanges",
    `In ${visibleName(worktree)} ${underWay} is under way. End it, then resume.`,
  );
}

/** No `git commit`: it would ask a repository's hooks, templates and signing programs. */
async function commitAll(
  { git, fs }: WorkPlaces,
  { worktree, branch, issue, instance }: IssueWork,
  run: string,
  parent: string,
): Promise<{ commit: string }> {
  const cwd = worktree;
  // Git would start another git in each of these, with that repository's own settings.
  const others = await checkedOutRepositories(git, fs, worktree);
  const except = others.map((path) => `:(exclude,top,literal)${path}`);
  await git.read(["add", "--all", "--", ".", ...except], { cwd });
  const tree = (await git.read(["write-tree"], { cwd })).trim();
  const message = `${issue.title}\n\nIssue: ${issue.number}\nCodelia-Run: ${run}\nCodelia-Instance: ${instance}\n`;
  const commit = (
    await git.read(["commit-tree", tree, "-p", parent, "-F", "-"], { cwd, input: message })
  ).trim();
  await git.read(["update-ref", "-m", `codelia: ${instance}`, branchRef(branch), commit, parent], { cwd });
  return { commit };
}

function uncommitted(left: readonly string[]): ExecutionError {
  return new ExecutionError(
    "UncommittedChanges",
    `The flow left ${left.length === 1 ? "a change" : `${left.length} changes`} that ${left.length === 1 ? "is" : "are"} not committed: ${someFiles(left)}. Commit or remove them, then resume.`,
  );
}
