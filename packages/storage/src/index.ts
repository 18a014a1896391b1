export * from "./blobs/index.ts";
export {
  appendFlags,
  createFlags,
  createNodeDisk,
  type Disk,
  type DiskFile,
  directoryFlags,
  makeDirectory,
  nodeDisk,
  pinFlags,
  quietly,
  readFlags,
  readFully,
  syncDirectory,
  unlinkIfPresent,
  writeAll,
} from "./disk/index.ts";
export { StorageError, type StorageErrorCode, storageError } from "./error.ts";
export * from "./files/index.ts";
export * from "./journal/index.ts";
export * from "./locks/index.ts";
