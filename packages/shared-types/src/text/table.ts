// Lines and columns for people: padded to their widest cell, numbers to the right.
import { visibleName, visibleText } from "./visible.ts";

export type Align = "left" | "right";

/** Rows as lines with two spaces between columns and none at the end. */
export function columns(rows: readonly (readonly string[])[], align: readonly Align[] = []): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cellsOf(cell));
  }
  return rows.map((row) =>
    row
      .map((cell, index) => {
        const padding = " ".repeat((widths[index] ?? 0) - cellsOf(cell));
        return align[index] === "right" ? padding + cell : cell + padding;
      })
      .join("  ")
      .trimEnd(),
  );
}

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uff01-\uff60\p{Emoji_Presentation}]/u;

/** Cells of a terminal that a text takes. */
export function cellsOf(text: string): number {
  let cells = 0;
  for (const character of text) {
    if (/\p{Mn}/u.test(character)) continue;
    cells += wide.test(character) ? 2 : 1;
  }
  return cells;
}

/** Cut at the end where it takes more cells. */
export function cutToCells(text: string, cells: number): string {
  if (cellsOf(text) <= cells) return text;
  let kept = "";
  for (const character of text) {
    if (cellsOf(kept + character) > cells - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
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

/** White space as single spaces, characters that act escaped, cut where it gets too long. */
export function oneLine(text: string, maxCharacters = 200): string {
  // The rest of a huge text takes no part.
  const start = text.slice(0, 8 * maxCharacters).toWellFormed();
  const characters = Array.from(visibleText(start.replaceAll(/\s+/g, " ").trim()));
  if (characters.length <= maxCharacters && start.length === text.length) return characters.join("");
  return `${characters.slice(0, maxCharacters - 1).join("")}…`;
}

/** An ISO time without its seconds, in UTC. */
export function minuteOf(time: string): string {
  return visibleText(time.slice(0, 16).replace("T", " "));
}
