// `base_branch` in the text of an issue: a heading, as issue forms write it, or a line `base_branch: main`.

export interface FoundBranch {
  readonly branch: string;
  /** From 1, in the text. */
  readonly line: number;
}

const heading = /^ {0,3}#{1,6}[ \t]+base[ _-]?branch[ \t]*:?[ \t]*#*[ \t]*$/i;
const keyed = /^ {0,3}(?:[-*][ \t]+)?(?:\*\*)?base[_-]branch(?:\*\*)?[ \t]*:[ \t]*(.*)$/i;
const fence = /^ {0,3}(`{3,}|~{3,})/;
/** What an issue form writes for a field that was left out. */
const noResponse = /^_no response_$/i;

/** @output every branch that is named outside of code, in order; blank ones are left out */
export function branchFieldsIn(text: string): FoundBranch[] {
  const found: FoundBranch[] = [];
  const lines = text.split(/\r?\n/);
  let closing: string | undefined;
  let isExpected = false;
  for (const [index, line] of lines.entries()) {
    const mark = fence.exec(line)?.[1];
    if (mark !== undefined && (closing === undefined || (mark.startsWith(closing) && line.trim() === mark))) {
      closing = closing === undefined ? mark : undefined;
      isExpected = false;
      continue;
    }
    if (closing !== undefined) continue;
    const value = keyed.exec(line)?.[1] ?? (isExpected && line.trim() !== "" ? line : undefined);
    if (value !== undefined) {
      const branch = plain(value);
      // The heading of the next field: this one is empty.
      if (branch !== "" && !(isExpected && /^ {0,3}#{1,6}[ \t]/.test(line)))
        found.push({ branch, line: index + 1 });
      isExpected = false;
    }
    if (heading.test(line)) isExpected = true;
  }
  return found;
}

function plain(value: string): string {
  const text = value
    .trim()
    .replace(/^(["'`])(.*)\1$/, "$2")
    .trim();
  return noResponse.test(text) ? "" : text;
}
