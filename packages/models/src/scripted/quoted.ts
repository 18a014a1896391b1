// Quotations for messages: short enough for a line, harmless for a terminal.
import { visibleText } from "@codelia/shared-types";

/** A text of any length on one line, its middle left out where it is long. */
export function quoted(text: string, limit = 300): string {
  if (text.length <= limit) return visibleText(JSON.stringify(text));
  const half = Math.floor(limit / 2);
  const [head, tail] = [text.slice(0, half), text.slice(-half)].map((part) =>
    visibleText(JSON.stringify(part.toWellFormed())),
  );
  return `${head} … ${text.length - 2 * half} characters … ${tail}`;
}
