export { adoptBlobs } from "./adopt.ts";
export { isBlobId } from "./blob-id.ts";
export type { BlobLine } from "./blob-lines.ts";
export type { BlobWriter } from "./blob-writer.ts";
export { type Blobs, type ByteRange, openBlobs } from "./blobs.ts";
