export { defaultSettings } from "./defaults.ts";
export { ConfigError, type ConfigProblem, describeProblem } from "./error.ts";
export { codeliaHome, type HomeOptions, userConfigFiles } from "./home.ts";
export {
  environmentLayer,
  flagLayer,
  type Layer,
  readFileLayer,
  type SettingEntry,
} from "./layers/index.ts";
export { type EffectiveSettings, mergeLayers } from "./settings.ts";
export { openTrustStore, projectIdentity, type TrustStore } from "./trust/index.ts";
