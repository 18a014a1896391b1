// Lines and columns for people look the same wherever they are made; shared-types has them.
export {
  cellsOf,
  columns,
  cutToCells,
  indented,
  minuteOf,
  oneLine,
  plural,
  shortPath,
} from "@codelia/shared-types";
