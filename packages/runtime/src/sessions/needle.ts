// A text that is searched for: found whatever its case, shown in one line.
import { visibleText } from "@codelia/shared-types";

/** Lower case first, so that İ and I, ς and σ, ß and ss each end as one. */
function folded(text: string): string {
  return text.toLowerCase().toUpperCase();
}

const shownBefore = 60;
const shownAfter = 100;
const minRun = 3;
const maxRun = 200;

// UTF-8 of the characters outside ASCII that become ASCII in another case (ſ, K, ß, ﬁ, …), with every byte as a character.
const foldingIntoAscii =
  "\\xc3\\x9f|\\xc4[\\xb0\\xb1]|\\xc5[\\x89\\xbf]|\\xc7\\xb0|\\xe1\\xba[\\x96-\\x9a\\x9e]|\\xe2\\x84\\xaa|\\xef\\xac[\\x80-\\x86]";

export class Needle {
  readonly #folded: string;
  /**
   * Bytes, each as a character, that JSON with this text in a string holds for certain; undefined where nothing can be
   * said. A glance with it spares parsing.
   */
  readonly bytes: RegExp | undefined;

  constructor(text: string) {
    this.#folded = folded(text);
    this.bytes = bytePattern(this.#folded);
  }

  /** @output one line around the first place, in which characters that act are visible; undefined: it is not there */
  excerptFrom(text: string): string | undefined {
    const at = folded(text).indexOf(this.#folded);
    if (at < 0) return undefined;
    const start = unfolded(text, 0, at);
    const end = unfolded(text, start, this.#folded.length);
    const from = Math.max(0, start - shownBefore);
    const to = Math.min(text.length, end + shownAfter);
    const piece = text.slice(from, to).toWellFormed().replaceAll(/\s+/g, " ").trim();
    return `${from > 0 ? "…" : ""}${visibleText(piece)}${to < text.length ? "…" : ""}`;
  }
}

/** Where in `text`, counted from `start`, its folded form has so many characters. */
function unfolded(text: string, start: number, length: number): number {
  let at = start;
  for (let seen = 0; seen < length && at < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    seen += folded(character).length;
    at += character.length;
  }
  return at;
}

/** The longest run of characters that JSON writes as they are. */
function bytePattern(text: string): RegExp | undefined {
  const runs = text.match(/[ !#-[\]-~]+/g) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), "").slice(0, maxRun);
  if (longest.length < minRun) return undefined;
  return new RegExp(`${longest.replaceAll(/[^A-Z0-9 ]/g, "\\$&")}|${foldingIntoAscii}`, "i");
}
