export { environmentLayer } from "./environment-layer.ts";
export { layerOfText, maxConfigBytes, readFileLayer } from "./file-layer.ts";
export { flagLayer, nested } from "./flag-layer.ts";
export { type Layer, leaves, type RuleEntry, type SettingEntry } from "./layer.ts";
export { describeIssue, type SchemaProblem } from "./schema-problems.ts";
