export { type FilePatch, parsePatch } from "./parse-patch.ts";
export { type LocatedPatch, type PlannedFile, planPatch } from "./plan-patch.ts";
