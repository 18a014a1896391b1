export type { AgentEvent, EmitEvent } from "./events.ts";
export {
  type LoopLimits,
  type LoopOptions,
  noUsage,
  type RunOutcome,
  type RunResult,
  runLoop,
} from "./loop.ts";
export type { DecidableCall, ToolSeams } from "./tool-calls.ts";
