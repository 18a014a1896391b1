// The lower end of the terminal: what is finished is written once and then belongs to the scrollback, and only the
// live part below it is drawn again, line by line. The screen is never cleared.
import type { TerminalPort } from "../io.ts";
import { fitted, visibleWidth, wrapped } from "./text.ts";

export interface LivePart {
  /** The live part; what does not fit on the screen loses its beginning. */
  readonly lines: readonly string[];
  /** In the live part; absent: hidden. */
  readonly cursor?: { readonly row: number; readonly column: number } | undefined;
}

const esc = "\u001b[";
// A terminal that knows it shows all that comes between at once; others ignore it.
const beginTogether = `${esc}?2026h`;
const endTogether = `${esc}?2026l`;
const hideCursor = `${esc}?25l`;
const showCursor = `${esc}?25h`;
const eraseLineEnd = `${esc}K`;
const eraseBelow = `${esc}J`;

const empty: LivePart = { lines: [] };

export class Screen {
  readonly #terminal: Pick<TerminalPort, "columns" | "rows" | "write">;
  #finished: string[] = [];
  #drawn: LivePart = empty;
  #columns: number;
  /** Of the cursor, below the first line of the live part. */
  #row = 0;

  constructor(terminal: Pick<TerminalPort, "columns" | "rows" | "write">) {
    this.#terminal = terminal;
    this.#columns = terminal.columns;
  }

  /** Lines that stay: written above the live part when it is drawn next. */
  print(lines: readonly string[]): void {
    this.#finished.push(...lines);
  }

  /** @effects one write, of what differs; none when nothing does */
  draw(part: LivePart): void {
    const { columns } = this.#terminal;
    if (columns !== this.#columns) this.#reflow(columns);
    const next = this.#fit(part);
    const finished = this.#finished.flatMap((line) => broken(line, columns));
    this.#finished = [];
    const body =
      finished.length > 0 ? this.#scroll(finished, next.lines) : this.#change(this.#drawn.lines, next.lines);
    const cursor = next.cursor;
    const isMoved = cursor?.row !== this.#drawn.cursor?.row || cursor?.column !== this.#drawn.cursor?.column;
    if (body === "" && !isMoved) return;
    this.#drawn = next;
    const place = cursor === undefined ? "" : `${this.#to(cursor.row)}\r${right(cursor.column)}${showCursor}`;
    this.#terminal.write(`${beginTogether}${hideCursor}${body}${place}${endTogether}`);
  }

  /** Takes the live part away and leaves the cursor at the start of an empty line, visible. */
  close(): void {
    const finished = this.#finished.map((line) => `${line}${eraseLineEnd}\r\n`).join("");
    this.#finished = [];
    const start = `${this.#to(0)}\r`;
    this.#drawn = empty;
    this.#row = 0;
    this.#terminal.write(`${start}${finished}${eraseBelow}${showCursor}`);
  }

  #fit({ lines, cursor }: LivePart): LivePart {
    const { columns, rows } = this.#terminal;
    const excess = Math.max(0, lines.length - Math.max(1, rows));
    const shown = lines.slice(excess).map((line) => fitted(line, columns));
    if (cursor === undefined || cursor.row < excess) return { lines: shown };
    const column = Math.min(cursor.column, Math.max(0, columns - 1));
    return { lines: shown, cursor: { row: cursor.row - excess, column } };
  }

  /** Finished lines take the place of the live part, which moves down. */
  #scroll(finished: readonly string[], lines: readonly string[]): string {
    const all = [...finished, ...lines];
    const start = `${this.#to(0)}\r`;
    const text = all.map((line) => `${line}${this.#isFull(line) ? "" : eraseLineEnd}`).join("\r\n");
    // Rows of the old live part that are still below: they exist, so that going there scrolls nothing.
    const isShorter = all.length < this.#drawn.lines.length;
    this.#row = Math.max(0, lines.length - 1);
    if (lines.length === 0) return `${start}${text}\r\n${isShorter ? eraseBelow : ""}`;
    return `${start}${text}${isShorter ? `\r\n${eraseBelow}${esc}A` : ""}`;
  }

  #change(before: readonly string[], after: readonly string[]): string {
    let text = "";
    for (const [row, line] of after.entries()) {
      if (before[row] === line && row < before.length) continue;
      text += `${this.#to(row)}\r${line}${this.#isFull(line) ? "" : eraseLineEnd}`;
    }
    if (before.length > after.length) text += `${this.#to(after.length)}\r${eraseBelow}`;
    return text;
  }

  /** Moves to a row of the live part; below its end by new lines, which scroll. */
  #to(row: number): string {
    const distance = row - this.#row;
    this.#row = row;
    if (distance < 0) return `${esc}${-distance}A`;
    return "\r\n".repeat(distance);
  }

  #isFull(line: string): boolean {
    return visibleWidth(line) >= this.#terminal.columns;
  }

  /** A terminal that became narrower has broken the lines of the live part: they take more rows than before. */
  #reflow(columns: number): void {
    const rowsOf = (line: string) => Math.max(1, Math.ceil(visibleWidth(line) / columns));
    const { lines, cursor } = this.#drawn;
    const isNarrower = columns < this.#columns;
    this.#columns = columns;
    if (lines.length === 0) return;
    const above = lines.slice(0, this.#row).reduce((sum, line) => sum + (isNarrower ? rowsOf(line) : 1), 0);
    const within = cursor === undefined || !isNarrower ? 0 : Math.floor(cursor.column / columns);
    const up = Math.min(above + within, Math.max(0, this.#terminal.rows - 1));
    this.#terminal.write(`${hideCursor}${up > 0 ? `${esc}${up}A` : ""}\r${eraseBelow}`);
    this.#drawn = empty;
    this.#row = 0;
  }
}

/** A finished line is written once and for all, so nothing of it may be cut off. */
function broken(line: string, columns: number): string[] {
  if (visibleWidth(line) <= columns) return [line];
  return wrapped(line, columns).map((part) => fitted(part, columns));
}

function right(columns: number): string {
  return columns > 0 ? `${esc}${columns}C` : "";
}
