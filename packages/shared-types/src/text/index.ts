export { nearNames } from "./near-names.ts";
export { pipedText, visibleJson, visibleName, visibleText } from "./visible.ts";
