export { defaultSettings } from "./defaults.ts";
export { type ConfigEdit, type EditedConfig, editConfigFile, editUserConfig } from "./edit/index.ts";
export { ConfigError, type ConfigProblem, describeProblem } from "./error.ts";
export { codeliaHome, type HomeOptions, userConfigFiles } from "./home.ts";
export {
  describeIssue,
  environmentLayer,
  flagLayer,
  type Layer,
  type RuleEntry,
  readFileLayer,
  type SchemaProblem,
  type SettingEntry,
} from "./layers/index.ts";
export { addAllowRules, placeOfRule, type RuleStoreOptions } from "./rules/index.ts";
export { type EffectiveSettings, mergeLayers } from "./settings.ts";
export { openTrustStore, projectIdentity, type TrustStore } from "./trust/index.ts";
