export { type LoopLimits, type LoopOptions, type RunOutcome, type RunResult, runLoop } from "./loop.ts";
export type { DecidableCall, ToolSeams } from "./tool-calls.ts";
