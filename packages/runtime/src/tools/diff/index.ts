export { diffLines, type LineEdit } from "./line-diff.ts";
export { preview } from "./preview.ts";
