export { visibleJson, visibleName, visibleText } from "./visible.ts";
