// A text with a cursor, as it is edited. Positions are between graphemes, so that no character is ever cut.
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const maxUndo = 200;

interface Snapshot {
  readonly text: string;
  readonly cursor: number;
}

/** Parts that are moved over and deleted as a whole: what stands for a paste. */
export type FindWhole = (text: string) => Iterable<{ readonly start: number; readonly end: number }>;

export class TextBuffer {
  readonly #wholes: FindWhole;
  #text = "";
  #cursor = 0;
  #killed = "";
  #undo: Snapshot[] = [];
  #isTyping = false;

  constructor(wholes: FindWhole = () => []) {
    this.#wholes = wholes;
  }

  get text(): string {
    return this.#text;
  }

  get cursor(): number {
    return this.#cursor;
  }

  set(text: string): void {
    this.#remember();
    this.#text = text;
    this.#cursor = text.length;
  }

  insert(text: string): void {
    // Letters typed in one go are undone in one go.
    if (!this.#isTyping || /\s/.test(text)) this.#remember();
    this.#replace(this.#cursor, this.#cursor, text);
    this.#isTyping = true;
  }

  /** Puts a text in place of what is between two positions; the cursor follows it. */
  replaceRange(start: number, end: number, text: string): void {
    this.#remember();
    this.#replace(start, end, text);
  }

  move(where: "left" | "right" | "word_left" | "word_right" | "line_start" | "line_end"): void {
    this.#isTyping = false;
    this.#cursor = this.#target(where);
  }

  /** @output false: there is no line above or below */
  moveVertically(direction: -1 | 1): boolean {
    this.#isTyping = false;
    const start = this.#lineStart(this.#cursor);
    const column = countGraphemes(this.#text.slice(start, this.#cursor));
    const end = this.#lineEnd(this.#cursor);
    if (direction < 0 ? start === 0 : end === this.#text.length) return false;
    const from = direction < 0 ? this.#lineStart(start - 1) : end + 1;
    this.#cursor = from + lengthOf(this.#text.slice(from, this.#lineEnd(from)), column);
    return true;
  }

  /** @output whether there was anything */
  delete(where: "left" | "right" | "word_left" | "line_start" | "line_end"): boolean {
    const to = where === "line_end" ? this.#killEnd() : this.#target(where);
    if (to === this.#cursor) return false;
    this.#remember();
    const [start, end] = to < this.#cursor ? [to, this.#cursor] : [this.#cursor, to];
    if (where !== "left" && where !== "right") this.#killed = this.#text.slice(start, end);
    this.#replace(start, end, "");
    return true;
  }

  /** Puts back what was deleted last by more than a character. */
  yank(): void {
    if (this.#killed !== "") this.replaceRange(this.#cursor, this.#cursor, this.#killed);
  }

  undo(): void {
    const last = this.#undo.pop();
    if (last === undefined) return;
    this.#text = last.text;
    this.#cursor = last.cursor;
    this.#isTyping = false;
  }

  #replace(start: number, end: number, text: string): void {
    this.#text = this.#text.slice(0, start) + text + this.#text.slice(end);
    this.#cursor = start + text.length;
  }

  #remember(): void {
    this.#isTyping = false;
    this.#undo.push({ text: this.#text, cursor: this.#cursor });
    if (this.#undo.length > maxUndo) this.#undo.shift();
  }

  #target(where: "left" | "right" | "word_left" | "word_right" | "line_start" | "line_end"): number {
    switch (where) {
      case "left":
        return this.#snapped(this.#cursor - lastLength(this.#text.slice(0, this.#cursor)), "start");
      case "right":
        return this.#snapped(this.#cursor + lengthOf(this.#text.slice(this.#cursor), 1), "end");
      case "word_left":
        return this.#snapped(
          this.#text.slice(0, this.#cursor).replace(/[\p{L}\p{N}_]*[^\p{L}\p{N}_]*$/u, "").length,
          "start",
        );
      case "word_right":
        return this.#snapped(
          this.#text.length -
            this.#text.slice(this.#cursor).replace(/^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u, "").length,
          "end",
        );
      case "line_start":
        return this.#lineStart(this.#cursor);
      case "line_end":
        return this.#lineEnd(this.#cursor);
    }
  }

  /** At the end of a line its line feed goes, as in every shell. */
  #killEnd(): number {
    const end = this.#lineEnd(this.#cursor);
    return end === this.#cursor ? Math.min(end + 1, this.#text.length) : end;
  }

  #snapped(position: number, to: "start" | "end"): number {
    for (const { start, end } of this.#wholes(this.#text)) {
      if (position > start && position < end) return to === "start" ? start : end;
    }
    return position;
  }

  #lineStart(position: number): number {
    return position <= 0 ? 0 : this.#text.lastIndexOf("\n", position - 1) + 1;
  }

  #lineEnd(position: number): number {
    const end = this.#text.indexOf("\n", position);
    return end < 0 ? this.#text.length : end;
  }
}

function countGraphemes(text: string): number {
  return [...graphemes.segment(text)].length;
}

/** How long the first graphemes are. */
function lengthOf(text: string, count: number): number {
  let length = 0;
  let taken = 0;
  for (const { segment } of graphemes.segment(text)) {
    if (taken === count) break;
    length += segment.length;
    taken += 1;
  }
  return length;
}

function lastLength(text: string): number {
  // A grapheme is never that long; to segment the whole text for one of them would be slow.
  let last = 0;
  for (const { segment } of graphemes.segment(text.slice(-64))) last = segment.length;
  return last;
}
