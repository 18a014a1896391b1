// Reads instructions with bounded memory: a prefix as large as the budget, cut between code points.
import { createHash } from "node:crypto";
import type { AgentsFileVersion, FileStat, FileSystem, OpenFile } from "@codelia/shared-types";

const chunkBytes = 64 * 1024;
const byteOrderMark = [0xef, 0xbb, 0xbf] as const;

export type Reading =
  | { readonly outcome: "vanished" | "not_a_file" | "blank" }
  | {
      readonly outcome: "text";
      /** The kept part. Invalid bytes are U+FFFD; a byte order mark is gone. */
      readonly text: string;
      readonly totalBytes: number;
      readonly keptBytes: number;
      /** Of the kept bytes. */
      readonly sha256: string;
      readonly version: AgentsFileVersion;
    };

/**
 * @input  realPath: a path without links, admitted before
 * @input  maxBytes: how many bytes of text may be kept
 * @effects opens one file; memory stays within `maxBytes` and one chunk whatever the file's size
 * @error  what the port throws
 */
export async function readInstructions(fs: FileSystem, realPath: string, maxBytes: number): Promise<Reading> {
  const file = await fs.open(realPath);
  if (file === undefined) return { outcome: "vanished" };
  try {
    if (file.stat.kind !== "file") return { outcome: "not_a_file" };
    return await readOpenFile(file, realPath, maxBytes);
  } finally {
    await file.close();
  }
}

async function readOpenFile(file: OpenFile, realPath: string, maxBytes: number): Promise<Reading> {
  // Three bytes more for a byte order mark, and one to see where the next code point starts.
  const raw = await file.read(0, Math.min(maxBytes, Math.max(file.stat.sizeBytes, chunkBytes)) + 4);
  const markBytes = byteOrderMark.every((byte, index) => raw[index] === byte) ? byteOrderMark.length : 0;
  const body = raw.subarray(markBytes);
  if (await isBlank(file, body, markBytes)) return { outcome: "blank" };

  const totalBytes = Math.max(file.stat.sizeBytes - markBytes, body.length);
  const kept = body.subarray(0, codePointBoundary(body, maxBytes));
  const sha256 = hash(kept);
  const whole = kept.length === totalBytes;
  return {
    outcome: "text",
    text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(kept),
    totalBytes,
    keptBytes: kept.length,
    sha256,
    version: { ...fileVersion(file.stat, realPath), ...(whole ? { sha256 } : {}) },
  };
}

/** The version of a file whose text was not read. */
export function fileVersion(stat: FileStat, realPath: string): AgentsFileVersion {
  const { mtimeMs, ctimeMs, sizeBytes, inode } = stat;
  return { mtimeMs, ctimeMs, sizeBytes, inode, realPath };
}

/** The largest length ≤ `limit` that does not end inside a UTF-8 sequence. */
export function codePointBoundary(bytes: Uint8Array, limit: number): number {
  if (bytes.length <= limit) return bytes.length;
  for (let start = limit; start >= 0 && start > limit - 4; start--) {
    const byte = bytes[start] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return start + sequenceLength(byte) > limit ? start : limit;
  }
  return limit;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

/** Looks at the rest of the file only while all that came before it was white space. */
async function isBlank(file: OpenFile, body: Uint8Array, markBytes: number): Promise<boolean> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let chunk = body;
  let position = markBytes + body.length;
  while (true) {
    if (decoder.decode(chunk, { stream: true }).trim() !== "") return false;
    chunk = await file.read(position, chunkBytes);
    if (chunk.length === 0) return decoder.decode().trim() === "";
    position += chunk.length;
  }
}

function hash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
