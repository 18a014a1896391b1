// A blob as lines, in bounded memory whatever the blob holds.
import type { DiskFile } from "../disk/index.ts";
import { explaining } from "../error.ts";

export interface BlobLine {
  /** Without its line feed. */
  readonly text: string;
  /** The line is longer than 64 KiB; `text` is its start. */
  readonly cut: boolean;
}

const maxLineBytes = 64 * 1024;
const lineFeed = 0x0a;

/** @error StorageError `unreadable` */
export async function* readLines(file: DiskFile, path: string): AsyncGenerator<BlobLine, void, undefined> {
  const buffer = Buffer.allocUnsafe(2 * maxLineBytes);
  let filled = 0;
  let isInCutLine = false;
  for (let position = 0; ; ) {
    const { bytesRead } = await explaining("unreadable", path, () =>
      file.read(buffer, filled, buffer.length - filled, position),
    );
    position += bytesRead;
    filled += bytesRead;
    const held = buffer.subarray(0, filled);
    let start = 0;
    for (let end = held.indexOf(lineFeed); end >= 0; end = held.indexOf(lineFeed, start)) {
      if (!isInCutLine) yield lineOf(held.subarray(start, end));
      isInCutLine = false;
      start = end + 1;
    }
    if (bytesRead === 0) {
      if (start < filled && !isInCutLine) yield lineOf(held.subarray(start));
      return;
    }
    if (filled - start > maxLineBytes) {
      if (!isInCutLine) yield lineOf(held.subarray(start));
      isInCutLine = true;
      start = filled;
    }
    buffer.copyWithin(0, start, filled);
    filled -= start;
  }
}

function lineOf(bytes: Uint8Array): BlobLine {
  const cut = bytes.length > maxLineBytes;
  // Told that more follows, the decoder leaves out a character whose end was cut off.
  const text = new TextDecoder().decode(cut ? bytes.subarray(0, maxLineBytes) : bytes, { stream: cut });
  return { text, cut };
}
