export { neutraliseTags, withoutReminders } from "./tags.ts";
