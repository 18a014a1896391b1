// Takes a part of a file's lines out of a stream of bytes, with numbers, in memory that does not grow with the file.

export interface WindowLimits {
  /** First line, counted from 1. */
  readonly offset: number;
  readonly maxLines: number;
  /** Of the rendered lines, numbers included. */
  readonly maxBytes: number;
  readonly maxLineLength: number;
}

const lineFeed = 10;

export class LineWindow {
  readonly lines: string[] = [];
  /** Lines begun so far; with the whole file seen, its number of lines. */
  linesSeen = 0;
  /** Bytes up to the end of the last line that was taken. */
  bytesTaken = 0;
  invalid = false;
  cutLines = 0;
  readonly #limits: WindowLimits;
  readonly #keep: number;
  #full = false;
  #rendered = 0;
  #position = 0;
  #inLine = false;
  /** Start of the line under way, at most as much as can be shown. */
  #kept: Uint8Array[] = [];
  #keptLength = 0;
  #lineLength = 0;

  constructor(limits: WindowLimits) {
    this.#limits = limits;
    // A character has at most four bytes in UTF-8; one more character tells that the line goes on.
    this.#keep = (limits.maxLineLength + 2) * 4;
  }

  /** True when no further line can be taken. */
  get full(): boolean {
    return this.#full;
  }

  /** The next bytes of the file. Once full, lines are only counted. */
  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      if (!this.#inLine) this.#beginLine();
      const feed = chunk.indexOf(lineFeed, at);
      const end = feed < 0 ? chunk.length : feed;
      this.#keepPart(chunk.subarray(at, end));
      at = feed < 0 ? end : end + 1;
      if (feed >= 0) this.#endLine(this.#position + at);
    }
    this.#position += chunk.length;
    this.#ownTail();
  }

  /** The file is over: a last line without line ending counts too. */
  end(): void {
    if (this.#inLine) this.#endLine(this.#position);
  }

  get #wanted(): boolean {
    return !this.#full && this.linesSeen >= this.#limits.offset;
  }

  #beginLine(): void {
    this.#inLine = true;
    this.linesSeen += 1;
    this.#kept = [];
    this.#keptLength = 0;
    this.#lineLength = 0;
  }

  #keepPart(part: Uint8Array): void {
    this.#lineLength += part.length;
    if (!this.#wanted || this.#keptLength >= this.#keep) return;
    const kept = part.subarray(0, this.#keep - this.#keptLength);
    this.#kept.push(kept);
    this.#keptLength += kept.length;
  }

  /** The chunk is the reader's buffer: what the line under way has of it is copied before the next one comes. */
  #ownTail(): void {
    if (!this.#inLine) return;
    const tail = this.#kept.pop();
    if (tail !== undefined) this.#kept.push(tail.slice());
  }

  #endLine(position: number): void {
    this.#inLine = false;
    if (!this.#wanted) return;
    const bytes = this.#kept.length === 1 ? (this.#kept[0] ?? new Uint8Array()) : Buffer.concat(this.#kept);
    const whole = this.#keptLength === this.#lineLength;
    const text = this.#render(bytes, whole);
    const line = `${String(this.linesSeen).padStart(5)}\t${text}\n`;
    const size = Buffer.byteLength(line);
    if (this.lines.length > 0 && this.#rendered + size > this.#limits.maxBytes) {
      this.#full = true;
      return;
    }
    this.lines.push(line);
    this.#rendered += size;
    this.bytesTaken = position;
    this.#full = this.lines.length >= this.#limits.maxLines;
  }

  #render(bytes: Uint8Array, whole: boolean): string {
    const { text, invalid } = decode(bytes, whole);
    this.invalid ||= invalid;
    const bare = this.linesSeen === 1 && text.startsWith("\ufeff") ? text.slice(1) : text;
    const line = whole && bare.endsWith("\r") ? bare.slice(0, -1) : bare;
    if (line.length <= this.#limits.maxLineLength && whole) return line;
    const shown = wholeCharacters(line.slice(0, this.#limits.maxLineLength));
    this.cutLines += 1;
    return `${shown}… [line cut: ${this.#lineLength} bytes in all]`;
  }
}

/** Without half of a character at the end. */
function wholeCharacters(text: string): string {
  return text.at(-1)?.isWellFormed() === false ? text.slice(0, -1) : text;
}

// Made once, because making one costs as much as decoding a line. They keep no state: each line is given whole.
const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenientDecoder = new TextDecoder("utf-8", { ignoreBOM: true });

function decode(bytes: Uint8Array, whole: boolean): { text: string; invalid: boolean } {
  try {
    const decoder = whole ? strictDecoder : new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return { text: decoder.decode(bytes, { stream: !whole }), invalid: false };
  } catch {
    const decoder = whole ? lenientDecoder : new TextDecoder("utf-8", { ignoreBOM: true });
    return { text: decoder.decode(bytes, { stream: !whole }), invalid: true };
  }
}
