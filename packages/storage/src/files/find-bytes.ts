// Finds bytes in a file without decoding it, in bounded memory.
import { type Disk, nodeDisk, readFlags, readFully } from "../disk/index.ts";
import { explaining } from "../error.ts";

const pieceBytes = 256 * 1024;
/** Pieces overlap by this, so that what lies across two is found. */
const maxMatchBytes = 1024;

/**
 * @input  pattern global; is held against the bytes, each as the character of its number
 * @output the matches up to 1024 bytes; some may come twice
 * @error  StorageError `unreadable`
 */
export async function* findBytes(
  path: string,
  pattern: RegExp,
  disk: Disk = nodeDisk,
): AsyncGenerator<string, void, undefined> {
  const file = await explaining("unreadable", path, () => disk.open(path, readFlags));
  try {
    const buffer = Buffer.allocUnsafe(pieceBytes);
    for (let offset = 0; ; offset += pieceBytes - maxMatchBytes) {
      const filled = await explaining("unreadable", path, () => readFully(file, buffer, offset));
      for (const [match] of buffer.toString("latin1", 0, filled).matchAll(pattern)) yield match;
      if (filled < pieceBytes) return;
    }
  } finally {
    await file.close();
  }
}

/** Whether there is a match. @input pattern not global, otherwise as above @error StorageError `unreadable` */
export async function holdsBytes(path: string, pattern: RegExp, disk: Disk = nodeDisk): Promise<boolean> {
  const { done } = await findBytes(path, new RegExp(pattern, `${pattern.flags}g`), disk).next();
  return !done;
}
