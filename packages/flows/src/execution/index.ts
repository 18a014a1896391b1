export { graceMs } from "./abort.ts";
export { type Clock, systemClock } from "./clock.ts";
export type { EffectDecision, IndeterminateEffect } from "./effects.ts";
export { Execution, type ExecutionState, type StartOptions } from "./execution.ts";
export { defaultIterations } from "./limits.ts";
export type { Dependencies, IterationPlace } from "./ports.ts";
export { type PreviewOptions, type PromptPreview, previewPrompts } from "./preview.ts";
export { failedResult } from "./result.ts";
export {
  type FlowJournal,
  foldRecords,
  leavesRunOpen,
  type RecordedEffect,
  type RecordedHostEffect,
  type RunHistory,
  RunLog,
} from "./run-log.ts";
