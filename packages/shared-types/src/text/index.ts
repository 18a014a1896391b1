export { withEntities } from "./entities.ts";
export { nearNames } from "./near-names.ts";
export {
  type Align,
  cellsOf,
  columns,
  cutToCells,
  indented,
  minuteOf,
  oneLine,
  plural,
  shortPath,
} from "./table.ts";
export { pipedText, visibleJson, visibleName, visibleText } from "./visible.ts";
