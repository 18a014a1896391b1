// Where the text of the composer stands on the screen: rows of at most so many columns, and the cursor among them.
import { visibleText } from "@codelia/shared-types";
import { visibleWidth } from "../screen/index.ts";

export interface Layout {
  readonly rows: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Rows break between words where they can; a cursor at the end of a full row stands on the next one. */
export function layOut(text: string, cursor: number, width: number): Layout {
  const rows: string[] = [];
  const place = { row: 0, column: 0 };
  let offset = 0;
  for (const line of text.split("\n")) {
    for (const cells of rowsOf(line, offset, width)) {
      const at = cells.findIndex((cell) => cell.offset >= cursor);
      const start = cells[0]?.offset ?? offset;
      if (cursor >= start) {
        const before = at < 0 ? cells : cells.slice(0, at);
        place.row = rows.length;
        place.column = before.reduce((sum, cell) => sum + cell.width, 0);
      }
      rows.push(cells.map((cell) => cell.shown).join(""));
    }
    offset += line.length + 1;
  }
  if (place.column >= width) {
    place.row += 1;
    place.column = 0;
    if (rows.length === place.row) rows.push("");
  }
  return { rows, cursor: place };
}

interface Cell {
  readonly offset: number;
  readonly shown: string;
  readonly width: number;
}

function rowsOf(line: string, offset: number, width: number): Cell[][] {
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  let used = 0;
  for (const { segment, index } of graphemes.segment(line)) {
    const shown = segment === "\t" ? "    " : visibleText(segment);
    const cell = { offset: offset + index, shown, width: visibleWidth(shown) };
    if (used + cell.width > width && row.length > 0) {
      const kept = breakAt(row);
      rows.push(row.slice(0, kept));
      row = row.slice(kept);
      used = row.reduce((sum, each) => sum + each.width, 0);
    }
    row.push(cell);
    used += cell.width;
  }
  return [...rows, row];
}

/** After the last space, unless the row is one word. */
function breakAt(row: readonly Cell[]): number {
  const space = row.findLastIndex((cell) => cell.shown === " ");
  return space < 0 ? row.length : space + 1;
}
