export { type SearchRequest, searchBuiltIn } from "./built-in-search.ts";
export { maxFileSize } from "./lines.ts";
export { MatchReport } from "./match-report.ts";
export { everyFile, type PathFilter, parsePathFilter } from "./path-filter.ts";
export { parsePattern } from "./pattern.ts";
export { listWithRipgrep, type Ripgrep, RipgrepError, searchWithRipgrep } from "./ripgrep.ts";
export { createRipgrepLocator, isInstalledWith, type RipgrepLocator } from "./ripgrep-binary.ts";
export { type SearchOptions, searchPlace, withTimeLimit } from "./search-place.ts";
export { walkFiles } from "./walk.ts";
