// Fenced code blocks of a Markdown text, as CommonMark reads them: a longer fence hides the shorter ones within it.

export interface FencedText {
  readonly blocks: readonly FencedBlock[];
  /** The lines outside every block. */
  readonly outside: readonly string[];
}

export interface FencedBlock {
  /** The first word after the opening fence, in lower case. */
  readonly language: string;
  readonly body: string;
}

const opening = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** A block that is not closed ends with the text. */
export function readFences(text: string): FencedText {
  const blocks: FencedBlock[] = [];
  const outside: string[] = [];
  let open: { readonly fence: string; readonly language: string; readonly lines: string[] } | undefined;
  const close = () => {
    if (open !== undefined) blocks.push({ language: open.language, body: open.lines.join("\n") });
    open = undefined;
  };
  for (const line of text.split(/\r?\n/)) {
    if (open !== undefined) {
      if (closes(line, open.fence)) close();
      else open.lines.push(line);
      continue;
    }
    const [, fence, info = ""] = opening.exec(line) ?? [];
    // A backtick after backticks makes it a code span, not a fence.
    if (fence === undefined || (fence.startsWith("`") && info.includes("`"))) outside.push(line);
    else open = { fence, language: (info.trim().split(/\s+/)[0] ?? "").toLowerCase(), lines: [] };
  }
  close();
  return { blocks, outside };
}

function closes(line: string, fence: string): boolean {
  const candidate = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return candidate !== undefined && candidate.length >= fence.length && candidate[0] === fence[0];
}
