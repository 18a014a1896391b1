// Markdown as lines, and how much of an answer that still grows is finished.
import { Markdown, type MarkdownTheme, setCapabilities } from "@earendil-works/pi-tui";
import { type Style, shownText } from "../screen/index.ts";
import { highlightCode } from "./highlight.ts";

/** A link's address is shown as text: what a model wrote must not hide behind other words. */
const capabilities = { images: null, trueColor: false, hyperlinks: false } as const;

export function markdownLines(text: string, width: number, style: Style): string[] {
  setCapabilities(capabilities);
  const options = { preserveOrderedListMarkers: true, preserveBackslashEscapes: true, renderLatex: false };
  const lines = new Markdown(shownText(text), 0, 0, themeOf(style), undefined, options).render(width);
  const shown = lines.map((line) => line.trimEnd());
  return shown.slice(0, shown.findLastIndex((line) => line !== "") + 1);
}

function themeOf(style: Style): MarkdownTheme {
  const { bold, italic, underline, struck, dim, accent, good } = style;
  return {
    heading: (text) => bold(accent(text)),
    link: underline,
    linkUrl: dim,
    code: accent,
    codeBlock: (text) => text,
    codeBlockBorder: dim,
    quote: italic,
    quoteBorder: dim,
    hr: dim,
    listBullet: good,
    bold,
    italic,
    strikethrough: struck,
    underline,
    highlightCode: (code, language) => highlightCode(code, language, style),
  };
}

/**
 * @input  text: an answer so far
 * @output where its last block begins: what is before will not look different, whatever comes
 */
export function finishedLength(text: string): number {
  let finished = 0;
  let offset = 0;
  let fence: string | undefined;
  let isAfterBlank = false;
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    // An indented line after a blank one goes on with the list above it.
    const isStart = isAfterBlank && line !== "" && !/^\s/.test(line);
    if (fence === undefined && isStart) finished = offset;
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (fence !== undefined && mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    isAfterBlank = fence === undefined && line.trim() === "";
    offset += line.length + 1;
  }
  return finished;
}
