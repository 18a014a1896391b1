export { type ExportFormat, type ExportPart, exportPart } from "./export.ts";
