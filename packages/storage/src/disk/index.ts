export { DirectWhileFast } from "./direct-while-fast.ts";
export { makeDirectory, syncDirectory, unlinkIfPresent } from "./directories.ts";
export type { Disk, DiskFile } from "./disk.ts";
export { Draft, isDraftName } from "./draft.ts";
export { appendFlags, createFlags, directoryFlags, pinFlags, readFlags } from "./flags.ts";
export { createNodeDisk, nodeDisk } from "./node-disk.ts";
export { closing, quietly } from "./quietly.ts";
export { readFully, writeAll } from "./whole-io.ts";
