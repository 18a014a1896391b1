// Text of models, tools and files as lines for a terminal: nothing in it can act, and each line fits.
import { visibleText } from "@codelia/shared-types";
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";

export { visibleWidth };

const tabWidth = 4;

/** One text for display: what acts is escaped, line ends are `\n`, tabs are spaces. */
export function shownText(text: string): string {
  const plain = visibleText(text.replaceAll("\r\n", "\n"));
  return plain.includes("\t") ? plain.split("\n").map(withoutTabs).join("\n") : plain;
}

/** As `shownText`, on one line. */
export function shownLine(text: string): string {
  return shownText(text)
    .replace(/\s*\n\s*/g, " ")
    .trim();
}

function withoutTabs(line: string): string {
  const [first = "", ...rest] = line.split("\t");
  return rest.reduce((done, part) => {
    const missing = tabWidth - (visibleWidth(done) % tabWidth);
    return `${done}${" ".repeat(missing)}${part}`;
  }, first);
}

/** @input text that is harmless already; it may carry styles */
export function wrapped(text: string, width: number): string[] {
  return wrapTextWithAnsi(text, Math.max(1, width));
}

/** At most so wide; what is missing is shown by `…`. */
export function fitted(text: string, width: number): string {
  return truncateToWidth(text, Math.max(0, width), "…");
}

/** Every line of the text, wrapped, behind a margin; the first line may have a margin of its own. */
export function withMargin(text: string, width: number, margin: string, first = margin): string[] {
  const inner = width - visibleWidth(margin);
  return wrapped(text, inner).map((line, index) => `${index === 0 ? first : margin}${line}`);
}
