export { pipedText, visibleJson, visibleName, visibleText } from "./visible.ts";
