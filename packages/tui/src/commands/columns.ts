// Rows of two columns.
import { type Style, shownLine, visibleWidth, wrapped } from "../screen/index.ts";

const maxFirst = 36;
/** With less beside the names, what is to say stands below them. */
const minSecond = 16;

/** @input rows of a name and what is to say about it; their text may be anybody's @output nothing of it is cut off */
export function columns(rows: readonly (readonly string[])[], width: number, style: Style): string[] {
  const shown = rows.map(
    ([name = "", text = ""]) => [indentOf(name) + shownLine(name), shownLine(text)] as const,
  );
  const first = Math.min(maxFirst, Math.max(0, ...shown.map(([name]) => visibleWidth(name))));
  const room = width - first - 4;
  return shown.flatMap(([name, text]) => (room < minSecond ? below(name, text) : beside(name, text)));

  function below(name: string, text: string): string[] {
    return [
      ...wrapped(name, width - 2).map((line) => `  ${style.accent(line)}`),
      ...(text === "" ? [] : wrapped(text, width - 6).map((line) => `      ${line}`)),
    ];
  }

  function beside(name: string, text: string): string[] {
    const names = wrapped(name, first);
    const texts = wrapped(text, room);
    return Array.from({ length: Math.max(names.length, texts.length) }, (_, index) => {
      const label = names[index] ?? "";
      const space = " ".repeat(Math.max(0, first - visibleWidth(label)));
      return `  ${label === "" ? "" : style.accent(label)}${space}  ${texts[index] ?? ""}`.trimEnd();
    });
  }
}

function indentOf(text: string): string {
  return /^ */.exec(text)?.[0] ?? "";
}
