export { removeFile, writeFileAtomic } from "./atomic-write.ts";
export { DirectWhileFast } from "./direct-while-fast.ts";
export { createNodeFileSystem, type DirectStats, nodeFileSystem } from "./node-file-system.ts";
export { readSmallFile, type SmallFile } from "./small-file.ts";
