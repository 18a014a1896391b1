// Columns for people: padded to their widest cell, numbers to the right.
import { visibleName } from "@codelia/shared-types";

export type Align = "left" | "right";

/** Rows as lines with two spaces between columns and none at the end. */
export function columns(rows: readonly (readonly string[])[], align: readonly Align[] = []): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, width(cell));
  }
  return rows.map((row) =>
    row
      .map((cell, index) => {
        const padding = " ".repeat((widths[index] ?? 0) - width(cell));
        return align[index] === "right" ? padding + cell : cell + padding;
      })
      .join("  ")
      .trimEnd(),
  );
}

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uff01-\uff60\p{Emoji_Presentation}]/u;

/** Cells of a terminal that a text takes. */
function width(text: string): number {
  let cells = 0;
  for (const character of text) {
    if (/\p{Mn}/u.test(character)) continue;
    cells += wide.test(character) ? 2 : 1;
  }
  return cells;
}

export function indented(lines: readonly string[], by = "  "): string[] {
  return lines.map((line) => (line === "" ? line : by + line));
}

/** A path below `base` without it; others whole. Characters that act are escaped. */
export function shortPath(path: string, base: string): string {
  if (path === base) return ".";
  const prefix = base.endsWith("/") ? base : `${base}/`;
  return visibleName(path.startsWith(prefix) ? path.slice(prefix.length) : path);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
