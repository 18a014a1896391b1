export { type InitialAgents, type InitialLoad, loadInitialAgents } from "./bundle.ts";
export { candidateNames, chooseWinner, probeDirectory } from "./candidates.ts";
export { directoriesBetween, isInside } from "./chain.ts";
export { AgentsError, type AgentsErrorCode, explainSystemError } from "./error.ts";
export { type AgentsState, applyAgentsRecord, foldAgentsRecords } from "./ledger.ts";
export { renderReminder } from "./rendering.ts";
export {
  type AgentsResolver,
  createAgentsResolver,
  type PathResolution,
  type ResolverOptions,
} from "./resolver.ts";
export { diffForResume, type ResumeDiff, type ResumeOptions } from "./resume.ts";
export { findAgentsRoot, type RootSearch } from "./root.ts";
