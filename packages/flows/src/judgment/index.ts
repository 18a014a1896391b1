export {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  createCompletion,
} from "./completion.ts";
export { canFail, defaultRetries, defaultVisits, moveKind, skipTarget } from "./position.ts";
export { type Judges, StepCheck, type StepCheckContext } from "./step-check.ts";
