// Rows of two columns.
import { fitted, type Style, shownLine, visibleWidth, wrapped } from "../screen/index.ts";

const maxFirst = 36;

/** @input rows of a name and what is to say about it; their text may be anybody's */
export function columns(rows: readonly (readonly string[])[], width: number, style: Style): string[] {
  const shown = rows.map(
    ([name = "", text = ""]) => [indentOf(name) + shownLine(name), shownLine(text)] as const,
  );
  const first = Math.min(maxFirst, Math.max(0, ...shown.map(([name]) => visibleWidth(name))));
  return shown.flatMap(([name, text]) => {
    const label = fitted(name, first);
    const space = " ".repeat(Math.max(0, first - visibleWidth(label)));
    const room = Math.max(10, width - first - 4);
    return wrapped(text, room).map((line, index) =>
      index === 0 ? `  ${style.accent(label)}${space}  ${line}` : `  ${" ".repeat(first)}  ${line}`,
    );
  });
}

function indentOf(text: string): string {
  return /^ */.exec(text)?.[0] ?? "";
}
