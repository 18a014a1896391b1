export { removeFile, writeFileAtomic } from "./atomic-write.ts";
export { findBytes, holdsBytes } from "./find-bytes.ts";
export { createNodeFileSystem, type DirectStats, nodeFileSystem } from "./node-file-system.ts";
export { removeDirectory, sweepRemoved } from "./remove-directory.ts";
export { readSmallFile, readTextFile, type SmallFile } from "./small-file.ts";
