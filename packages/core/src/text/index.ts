export { neutraliseTags } from "./tags.ts";
export { visibleName, visibleText } from "./visible.ts";
