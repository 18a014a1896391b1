export {
  type NewIssue,
  type RunStanding,
  retakeIssue,
  type TakenIssue,
  takeNewIssue,
  type Worker,
  type WorkPlaces,
  wayOn,
} from "./begin.ts";
export {
  type ClaimPlace,
  claimedIssues,
  type HeldIssue,
  holdIssue,
  ownerName,
  ownerOfIssue,
  readClaim,
} from "./claim.ts";
export {
  Git,
  type GitCall,
  type GitOptions,
  type GitOutput,
  type GitPort,
  gitFailed,
  lastLines,
  type Waiting,
} from "./git.ts";
export { inTurn } from "./in-turn.ts";
export { type IssueWorktree, listIssueWorktrees, reasonsToKeep } from "./list.ts";
export { branchOf, branchRef, instanceOf, issueOfBranch, worktreeOf } from "./names.ts";
export { type OriginCandidates, resolveOrigin } from "./origin.ts";
export { prepareWorktree } from "./prepare.ts";
export { type Pruned, pruneWorktrees } from "./prune.ts";
export { type KnownWorktree, listWorktrees, openRepository, type Repository } from "./repository.ts";
export { checkedOutRepositories, lookAtWorktree, someFiles, uncommittedFiles } from "./state.ts";
export { unlockIssue } from "./unlock.ts";
