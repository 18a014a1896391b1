// Pushes the branch of an issue. What the remote has is looked at first, and the push holds only for that.
import { type IssueWork, visibleName } from "@codelia/shared-types";
import type { Probe } from "../connection/index.ts";
import { ConfigurationError, ConnectionError, ExecutionError } from "../error.ts";
import { branchRef, lastLines, type WorkPlaces } from "../worktree/index.ts";
import type { Done } from "./host-effects.ts";

// The program at the other end, which is this machine for a path. Of the settings the first counts, so that one of the
// repository could not be closed; what is said here goes before all of them.
const receivePack = "--receive-pack=git-receive-pack";
const uploadPack = "--upload-pack=git-upload-pack";

/**
 * @input  pushed: commits that this run pushed before
 * @effects the remote's branch is at the commit
 * @error  ExecutionError PushRejected, RemoteBranchDeleted; ConnectionError RemoteUnreachable
 */
export async function pushBranch(
  places: WorkPlaces,
  work: IssueWork,
  commit: string,
  pushed: readonly string[],
): Promise<Done> {
  const { git, repository } = places;
  const { branch, remote, worktree } = work;
  // As the user would: an address may be relative to the main worktree.
  const cwd = repository.root;
  const there = await remoteCommit(places, work);
  if (there === commit) return { commit };
  if (there === undefined && pushed.length > 0) {
    throw new ExecutionError(
      "RemoteBranchDeleted",
      `${branch} was deleted on ${visibleName(remote)} after this run had pushed it. If the work is wanted, push it: git push ${visibleName(remote)} ${branch}; then resume.`,
    );
  }
  if (there !== undefined && !pushed.includes(there) && !(await isBefore(places, work, there, commit))) {
    throw new ExecutionError(
      "PushRejected",
      `${visibleName(remote)} has a ${branch} with commits that this run does not know (${there.slice(0, 12)}). Fetch it and merge it in ${visibleName(worktree)}, then resume.`,
    );
  }
  const ref = branchRef(branch);
  // Holds for what was just seen: whoever pushed since then is not overwritten.
  const lease = `--force-with-lease=${ref}:${there ?? ""}`;
  const args = ["push", "--quiet", "--no-verify", receivePack, lease, "--", remote, `${commit}:${ref}`];
  const { exitCode, stderr } = await git.try(args, { cwd, isRemote: true });
  if (exitCode === 0) return { commit };
  throw new ExecutionError(
    "PushRejected",
    `${visibleName(remote)} did not take ${branch}: ${lastLines(stderr)}`,
  );
}

export async function probePush(places: WorkPlaces, work: IssueWork, commit: string): Promise<Probe<Done>> {
  const there = await remoteCommit(places, work);
  return there === commit ? { state: "done", result: { commit } } : { state: "not_done" };
}

/** @error ConfigurationError RemoteUnknown */
export async function requireRemote(
  { git, repository: { root: cwd } }: WorkPlaces,
  remote: string,
): Promise<void> {
  const known = await git.try(["remote", "get-url", "--", remote], { cwd });
  if (known.exitCode === 0) return;
  throw new ConfigurationError(
    "RemoteUnknown",
    `There is no remote ${visibleName(remote)} to push to. Add it, set issues.remote, or set issues.finalise.push to false.`,
  );
}

async function remoteCommit(places: WorkPlaces, { branch, remote }: IssueWork): Promise<string | undefined> {
  const { git, repository } = places;
  const cwd = repository.root;
  await requireRemote(places, remote);
  const listed = await git.try(["ls-remote", uploadPack, "--", remote, branchRef(branch)], {
    cwd,
    isRemote: true,
  });
  if (listed.exitCode !== 0) {
    throw new ConnectionError(
      `${visibleName(remote)} cannot be reached: ${lastLines(listed.stderr)}`,
      {},
      "RemoteUnreachable",
    );
  }
  return /^([0-9a-f]{40,64})\t/.exec(listed.stdout)?.[1];
}

async function isBefore(
  { git }: WorkPlaces,
  { worktree: cwd }: IssueWork,
  one: string,
  other: string,
): Promise<boolean> {
  return (await git.try(["merge-base", "--is-ancestor", one, other], { cwd })).exitCode === 0;
}
