export { environmentLayer } from "./environment-layer.ts";
export { readFileLayer } from "./file-layer.ts";
export { flagLayer, nested } from "./flag-layer.ts";
export { type Layer, leaves, type SettingEntry } from "./layer.ts";
