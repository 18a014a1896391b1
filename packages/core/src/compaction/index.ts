export { type CompactionOutcome, type CompactionRequest, compact } from "./compact.ts";
export { type CarriedText, compactedMessage } from "./compacted-message.ts";
export {
  type CompactionPolicy,
  ContextKeeper,
  type KeeperOptions,
  type RequestedCompaction,
  type Room,
} from "./keeper.ts";
export { type CompactionPlan, planCompaction } from "./plan.ts";
export { summaryQuestion } from "./summary-request.ts";
export type { KeepText } from "./trim.ts";
