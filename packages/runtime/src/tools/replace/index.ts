export { nearestLines } from "./nearest-lines.ts";
export { type Replacement, replaceExactly } from "./replace.ts";
