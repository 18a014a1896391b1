export { type FinaliseOptions, type FinishedWork, finaliseWork, noPullRequests } from "./finalise.ts";
export { requireRemote } from "./push.ts";
