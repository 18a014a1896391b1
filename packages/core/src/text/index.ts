export { neutraliseTags } from "./tags.ts";
