// Splits HTML into text and tags, in one pass whatever the page: no tree, and nothing that backtracks.
import { decodeEntities } from "./entities.ts";

export type HtmlPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "open"; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: "close"; readonly name: string };

/** Elements whose content is no HTML: it goes up to their closing tag. */
const rawElements: ReadonlySet<string> = new Set([
  "script",
  "style",
  "textarea",
  "title",
  "noscript",
  "iframe",
]);
/** Of these, what is not shown. */
const unseen: ReadonlySet<string> = new Set(["script", "style", "noscript", "iframe"]);
/** Longer tags, `data:` images for example, keep only their name. */
const maxTag = 16_384;

export function* htmlParts(html: string): Generator<HtmlPart> {
  // For the search of closing tags, once for the whole page.
  const lower = asciiLowerCase(html);
  let position = 0;
  while (position < html.length) {
    const start = html.indexOf("<", position);
    const text = html.slice(position, start < 0 ? html.length : start);
    if (text !== "") yield { kind: "text", text: decodeEntities(text) };
    if (start < 0) return;
    if (html.startsWith("<!--", start)) {
      position = after(html, "-->", start + 4);
    } else if (/[!?]/.test(html.charAt(start + 1))) {
      position = after(html, ">", start);
    } else if (!/[A-Za-z/]/.test(html.charAt(start + 1))) {
      yield { kind: "text", text: "<" };
      position = start + 1;
    } else {
      const end = tagEnd(html, start + 1);
      const part = readTag(html.slice(start + 1, Math.min(end, start + maxTag)));
      position = end + 1;
      if (!part) continue;
      yield part;
      if (part.kind !== "open" || !rawElements.has(part.name)) continue;
      const close = lower.indexOf(`</${part.name}`, position);
      const content = html.slice(position, close < 0 ? html.length : close);
      if (!unseen.has(part.name) && content !== "") yield { kind: "text", text: decodeEntities(content) };
      position = close < 0 ? html.length : close;
    }
  }
}

/** Lengths must not change, which toLowerCase does not promise. */
function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function after(html: string, end: string, from: number): number {
  const found = html.indexOf(end, from);
  return found < 0 ? html.length : found + end.length;
}

/** The closing bracket, which does not count inside of quotes. */
function tagEnd(html: string, from: number): number {
  let quote = "";
  for (let index = from; index < html.length; index += 1) {
    const character = html.charAt(index);
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === ">") return index;
    else if ((character === '"' || character === "'") && html.charAt(index - 1) === "=") quote = character;
  }
  return html.length;
}

function readTag(tag: string): HtmlPart | undefined {
  const closing = tag.startsWith("/");
  const name = /^[A-Za-z][A-Za-z0-9-]{0,40}/.exec(closing ? tag.slice(1) : tag)?.[0].toLowerCase();
  if (name === undefined) return undefined;
  if (closing) return { kind: "close", name };
  const attributes = new Map<string, string>();
  // Each alternative begins differently, so that matching takes one pass.
  const attribute = /([^\s"'<>/=]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g;
  attribute.lastIndex = name.length;
  for (let found = attribute.exec(tag); found; found = attribute.exec(tag)) {
    const key = (found[1] ?? "").toLowerCase();
    const value = found[2] ?? found[3] ?? found[4] ?? "";
    if (!attributes.has(key)) attributes.set(key, decodeEntities(value));
  }
  return { kind: "open", name, attributes };
}
