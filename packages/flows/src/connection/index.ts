export { type CommandRunner, type Probe, type QueryOptions, queryError, type SdkBridge } from "./bridge.ts";
export { promptPlaces, referenceName } from "./prompt-files.ts";
export {
  type PromptFile,
  PromptResolver,
  type PromptResolverOptions,
  type Variables,
} from "./prompt-resolver.ts";
export { withFeedback, withOutputForm, withPreviousResponse, withVerdictForm } from "./prompt-text.ts";
export { queryWithRecovery, type RecoverableQuery, type RecoveryEffects } from "./recovery.ts";
