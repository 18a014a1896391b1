export { type OutputFile, type OutputFiles, openOutputFiles } from "./output-files.ts";
