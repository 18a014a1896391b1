// Finds the frontmatter at the head of a SKILL.md, in bytes: the body is neither decoded nor looked through.

export const maxFrontmatterBytes = 64 * 1024;
/** Enough to tell every frontmatter that is allowed, with its two marks, from one that is too long. */
export const maxHeadBytes = maxFrontmatterBytes + 64;

/** Where something is wrong. Lines and columns count from 1; columns in code points. */
export interface Problem {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly line: number;
  readonly column: number;
  /** What to write instead. */
  readonly fix: string;
}

export type Split =
  | {
      readonly kind: "found";
      readonly yaml: string /** Offset of the body's first byte. */;
      readonly bodyStart: number;
    }
  /** The end is not in these bytes; there are more in the file. */
  | { readonly kind: "more" }
  | { readonly kind: "problem"; readonly problem: Problem };

const [lf, cr, space, tab, dash] = [0x0a, 0x0d, 0x20, 0x09, 0x2d];
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @input the first bytes of a file, and whether they are all of it */
export function splitFrontmatter(head: Uint8Array, isWhole: boolean): Split {
  if (head.includes(0)) {
    return problem("is not text: it has a NUL byte", 1, 1, "save it as UTF-8 text");
  }
  const start = hasBom(head) ? 3 : 0;
  const first = markEnd(head, start, isWhole);
  if (first === undefined)
    return isWhole || head.length - start >= maxHeadBytes ? noStart(head) : startOrMore(head, start);
  for (let at = first; ; ) {
    const end = markEnd(head, at, isWhole);
    if (end !== undefined) return cut(head, first, at, end);
    const next = head.indexOf(lf, at);
    if (next === -1) break;
    at = next + 1;
  }
  if (head.length - first > maxFrontmatterBytes) return tooLong();
  if (!isWhole) return { kind: "more" };
  return problem(
    "the frontmatter has no end",
    1,
    1,
    "write a line --- behind the last key, and the text of the skill below it",
  );
}

/** Offset behind a line that is a mark: `---` and blanks. Undefined when the line at `at` is none. */
function markEnd(head: Uint8Array, at: number, isWhole: boolean): number | undefined {
  if (head[at] !== dash || head[at + 1] !== dash || head[at + 2] !== dash) return undefined;
  let end = at + 3;
  while (head[end] === space || head[end] === tab) end += 1;
  if (head[end] === cr && (head[end + 1] === lf || end + 1 === head.length)) end += 1;
  if (head[end] === lf) return end + 1;
  return end === head.length && isWhole ? end : undefined;
}

/** The first line is no mark as far as it can be seen. */
function startOrMore(head: Uint8Array, start: number): Split {
  return head.indexOf(lf, start) === -1 && head.length - start < 256 ? { kind: "more" } : noStart(head);
}

function noStart(head: Uint8Array): Split {
  const start = hasBom(head) ? 3 : 0;
  const isMark = head[start] === dash && head[start + 1] === dash && head[start + 2] === dash;
  return isMark
    ? problem(
        "the line --- that starts the frontmatter has more on it",
        1,
        4,
        "write --- alone on the first line",
      )
    : problem(
        "has no frontmatter",
        1,
        1,
        "begin the file with the lines ---, name: …, description: … and --- again",
      );
}

function cut(head: Uint8Array, from: number, to: number, bodyStart: number): Split {
  if (to - from > maxFrontmatterBytes) return tooLong();
  const bytes = head.subarray(from, to);
  try {
    return { kind: "found", yaml: decoder.decode(bytes), bodyStart };
  } catch {
    const { line, column } = firstBadByte(bytes);
    return problem("the frontmatter is not UTF-8 text", line + 1, column, "save the file as UTF-8");
  }
}

function tooLong(): Split {
  return problem(
    "the frontmatter has no end within 64 KiB",
    1,
    1,
    "end it with a line ---, and move long text into the skill's body",
  );
}

function problem(message: string, line: number, column: number, fix: string): Split {
  return { kind: "problem", problem: { severity: "error", message, line, column, fix } };
}

/** Where decoding stops; only called when it does. */
function firstBadByte(bytes: Uint8Array): { line: number; column: number } {
  const text = new TextDecoder("utf-8").decode(bytes);
  let from = 0;
  let line = 1;
  // A replacement character that the file really has decodes to itself; the first line that does not survive is meant.
  for (const each of text.split("\n")) {
    const length = bytes.indexOf(lf, from) === -1 ? bytes.length - from : bytes.indexOf(lf, from) - from;
    const original = bytes.subarray(from, from + length);
    const again = new TextEncoder().encode(each);
    const at = again.findIndex((byte, index) => byte !== original[index]);
    if (at !== -1 || again.length !== original.length) {
      const before = new TextDecoder("utf-8").decode(original.subarray(0, Math.max(0, at)));
      return { line, column: Array.from(before).length + 1 };
    }
    from += length + 1;
    line += 1;
  }
  return { line: 1, column: 1 };
}

export function hasBom(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
