export { type FinaliseOptions, type FinishedWork, finaliseWork, noPullRequests } from "./finalise.ts";
