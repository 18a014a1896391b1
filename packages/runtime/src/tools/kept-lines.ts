// The lines of a kept output, in bounded memory. Long lines come in parts, so that none of their text is out of reach.
import type { Blobs } from "@codelia/storage";

/** Outputs that were kept whole. */
export type KeptOutputs = Pick<Blobs, "has" | "size" | "read">;

export interface KeptLine {
  /** Without its line ending. */
  readonly text: string;
  /** The next one is a further part of the same line. */
  readonly goesOn: boolean;
}

/** In characters. A line that is longer comes in parts of this length. */
export const maxPart = 2000;

const chunkBytes = 256 * 1024;

/** @error StorageError */
export async function* keptLines(
  outputs: KeptOutputs,
  ref: string,
): AsyncGenerator<readonly KeptLine[], void, undefined> {
  const decoder = new TextDecoder();
  const size = await outputs.size(ref);
  let rest = "";
  for (let start = 0; start < size; start += chunkBytes) {
    const end = Math.min(size, start + chunkBytes);
    const bytes = await outputs.read(ref, { start, end });
    rest += decoder.decode(bytes, { stream: end < size });
    const lines: KeptLine[] = [];
    let from = 0;
    for (let feed = rest.indexOf("\n"); feed >= 0; feed = rest.indexOf("\n", from)) {
      addParts(lines, rest.slice(from, rest.charAt(feed - 1) === "\r" ? feed - 1 : feed));
      from = feed + 1;
    }
    rest = rest.slice(from);
    if (end === size && rest !== "") addParts(lines, rest);
    // One part stays behind: only what follows tells whether it is the last.
    else if (rest.length > 2 * maxPart) rest = addParts(lines, rest, true);
    yield lines;
  }
}

/** @output what was not added: nothing, or with `isOpen` the last part */
function addParts(lines: KeptLine[], text: string, isOpen = false): string {
  let from = 0;
  while (text.length - from > maxPart) {
    const end = from + maxPart - (isHighSurrogate(text.charCodeAt(from + maxPart - 1)) ? 1 : 0);
    lines.push({ text: text.slice(from, end), goesOn: true });
    from = end;
  }
  if (isOpen) return text.slice(from);
  lines.push({ text: text.slice(from), goesOn: false });
  return "";
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
