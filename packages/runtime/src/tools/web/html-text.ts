// Turns a page into text that a model reads well: headings, lists, links and code in Markdown's notation.
import { type HtmlPart, htmlParts } from "./html-tags.ts";

const blocks: ReadonlySet<string> = new Set(
  (
    "address article aside blockquote body dd details dialog div dl dt fieldset figcaption figure footer form " +
    "header hgroup main nav p section summary table thead tbody tfoot caption title"
  ).split(" "),
);
const hidden: ReadonlySet<string> = new Set(["svg", "template", "object", "select", "canvas"]);

/** @input `base` is the page's address, for relative links */
export function htmlToText(html: string, base: string): string {
  const writer = new TextWriter(base);
  for (const part of htmlParts(html)) writer.take(part);
  return writer.finish();
}

class TextWriter {
  readonly #base: string;
  readonly #lists: { readonly isOrdered: boolean; count: number }[] = [];
  readonly #links: string[] = [];
  #out: string[] = [];
  /** Line feeds at the end of what is written; at the start as if a paragraph had ended. */
  #feeds = 2;
  /** White space was seen and is written before the next text. */
  #gap = false;
  #preformatted = 0;
  #hiddenDepth = 0;
  #hiddenBy = "";

  constructor(base: string) {
    this.#base = base;
  }

  take(part: HtmlPart): void {
    if (this.#hiddenDepth > 0) this.#skip(part);
    else if (part.kind === "text") this.#text(part.text);
    else if (part.kind === "open") this.#open(part.name, part.attributes);
    else this.#close(part.name);
  }

  finish(): string {
    while (this.#links.length > 0) this.#endLink();
    if (this.#preformatted > 0) this.#endCode();
    return `${this.#out.join("").trim()}\n`;
  }

  /** What is hidden ends with its own closing tag. */
  #skip(part: HtmlPart): void {
    if (part.kind === "text" || part.name !== this.#hiddenBy) return;
    this.#hiddenDepth += part.kind === "open" ? 1 : -1;
  }

  #open(name: string, attributes: ReadonlyMap<string, string>): void {
    if (hidden.has(name)) {
      this.#hiddenDepth = 1;
      this.#hiddenBy = name;
    } else if (blocks.has(name)) this.#feed(2);
    else if (/^h[1-6]$/.test(name)) {
      this.#feed(2);
      this.#write(`${"#".repeat(Number(name.charAt(1)))} `);
    } else if (name === "br" || name === "tr") this.#feed(1);
    else if (name === "hr") {
      this.#feed(2);
      this.#write("---");
      this.#feed(2);
    } else if (name === "td" || name === "th") {
      if (this.#feeds === 0) this.#write(" | ");
      this.#gap = false;
    } else if (name === "ul" || name === "ol") {
      this.#feed(this.#lists.length === 0 ? 2 : 1);
      if (this.#lists.length < 20) this.#lists.push({ isOrdered: name === "ol", count: 0 });
    } else if (name === "li") this.#item();
    else if (name === "pre") {
      this.#feed(2);
      if (this.#preformatted === 0) this.#write("```\n");
      this.#preformatted += 1;
      this.#feeds = 1;
    } else if (name === "code" || name === "kbd" || name === "samp") this.#mark();
    else if (name === "a") this.#startLink(attributes.get("href") ?? "");
    else if (name === "img") this.#text(attributes.get("alt") ?? "");
  }

  #close(name: string): void {
    if (blocks.has(name) || /^h[1-6]$/.test(name)) this.#feed(2);
    else if (name === "ul" || name === "ol") {
      this.#lists.pop();
      this.#feed(this.#lists.length === 0 ? 2 : 1);
    } else if (name === "li" || name === "tr") this.#feed(1);
    else if (name === "pre" && this.#preformatted > 0) this.#endCode();
    else if (name === "code" || name === "kbd" || name === "samp") this.#mark();
    else if (name === "a") this.#endLink();
  }

  #text(text: string): void {
    if (text === "") return;
    if (this.#preformatted > 0) {
      this.#write(text.replaceAll("\r\n", "\n"));
      return;
    }
    const words = text.replace(/[ \t\r\n\f\u00a0]+/g, " ");
    if (words.startsWith(" ")) this.#gap = true;
    const inner = words.trim();
    if (inner !== "") {
      this.#write(inner);
      this.#gap = words.endsWith(" ");
    }
  }

  #mark(): void {
    if (this.#preformatted === 0) this.#write("`");
  }

  #item(): void {
    this.#feed(1);
    const list = this.#lists.at(-1) ?? { isOrdered: false, count: 0 };
    list.count += 1;
    const indent = "  ".repeat(Math.max(0, this.#lists.length - 1));
    this.#write(`${indent}${list.isOrdered ? `${list.count}.` : "-"} `);
  }

  #startLink(href: string): void {
    // A link in a link ends the outer one, as in a browser.
    if (this.#links.length > 0) this.#endLink();
    const address = this.#address(href);
    this.#links.push(address);
    if (address !== "") this.#write("[");
  }

  #endLink(): void {
    const address = this.#links.pop();
    if (address === undefined || address === "") return;
    const gap = this.#gap;
    this.#gap = false;
    this.#write(`](${address})`);
    this.#gap = gap;
  }

  #address(href: string): string {
    if (href === "" || href.startsWith("#") || this.#preformatted > 0 || !URL.canParse(href, this.#base))
      return "";
    const url = new URL(href, this.#base);
    return /^(?:https?|mailto):$/.test(url.protocol) ? url.href.slice(0, 2_000) : "";
  }

  #endCode(): void {
    this.#preformatted = 0;
    this.#feed(1);
    this.#write("```");
    this.#feed(2);
  }

  #feed(count: number): void {
    if (this.#preformatted > 0) return;
    this.#gap = false;
    if (this.#feeds < count) this.#out.push("\n".repeat(count - this.#feeds));
    this.#feeds = Math.max(this.#feeds, count);
  }

  #write(text: string): void {
    if (this.#gap && this.#feeds === 0 && !this.#out.at(-1)?.endsWith(" ")) this.#out.push(" ");
    this.#gap = false;
    this.#out.push(text);
    this.#feeds = text.endsWith("\n") ? 1 : 0;
  }
}
