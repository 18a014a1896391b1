export { type BuildOptions, build, resume } from "./build.ts";
export type { AgentDefinition, PromptSource, ValidatedDefinition } from "./definition.ts";
export {
  applyDeprecations,
  type Deprecation,
  type DeprecationOptions,
  type DeprecationPhase,
  type DeprecationReport,
  deprecationPhase,
  deprecations,
  migrate,
} from "./deprecation.ts";
export { end, type Way, waysFrom } from "./graph.ts";
export { type LoadOptions, load } from "./load.ts";
export { type MigratedText, migrateText } from "./migrate-text.ts";
export {
  DefinitionError,
  DefinitionFileError,
  type DefinitionProblem,
  describeDefinitionProblem,
  type SourceDocument,
} from "./problem.ts";
export { type ValidateOptions, type ValidationResult, validate } from "./validate.ts";
export { currentVersion, parseVersion, type Version } from "./version.ts";
