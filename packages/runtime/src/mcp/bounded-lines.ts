// Splits what a server writes into lines, in bounded memory, and notices when it never stops.

export interface LineLimits {
  /** Of one line. */
  readonly maxBytes: number;
  /** Lines that answer nothing, and all bytes, within `windowMs`. */
  readonly maxUnasked: number;
  readonly maxWindowBytes: number;
  readonly windowMs: number;
}

export const defaultLineLimits: LineLimits = {
  maxBytes: 16 * 1024 * 1024,
  maxUnasked: 5000,
  maxWindowBytes: 128 * 1024 * 1024,
  windowMs: 10_000,
};

const lineFeed = 0x0a;

export class BoundedLines {
  readonly #limits: LineLimits;
  readonly #now: () => number;
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #windowStart = 0;
  #windowBytes = 0;
  #unasked = 0;

  constructor(now: () => number, limits: LineLimits = defaultLineLimits) {
    this.#now = now;
    this.#limits = limits;
  }

  /**
   * @output the lines that are complete now, without their ends
   * @error  Error in words when the limits are passed; nothing may be pushed afterwards
   */
  push(chunk: Uint8Array): string[] {
    this.#count(chunk.length);
    const lines: string[] = [];
    let start = 0;
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, start)) {
      this.#keep(chunk.subarray(start, at));
      lines.push(Buffer.concat(this.#parts).toString("utf8"));
      this.#parts = [];
      this.#bytes = 0;
      start = at + 1;
    }
    this.#keep(chunk.subarray(start));
    return lines;
  }

  /** To be called for each line that answers no request. @error as above */
  countUnasked(): void {
    this.#unasked += 1;
    if (this.#unasked <= this.#limits.maxUnasked) return;
    throw new Error(
      `it sent more than ${this.#limits.maxUnasked} messages that nobody asked for within ${this.#limits.windowMs / 1000} s`,
    );
  }

  #keep(part: Uint8Array): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#limits.maxBytes)
      throw new Error(`it sent a message of more than ${this.#limits.maxBytes} bytes`);
    if (part.length > 0) this.#parts.push(part);
  }

  #count(bytes: number): void {
    const now = this.#now();
    if (now - this.#windowStart > this.#limits.windowMs) {
      this.#windowStart = now;
      this.#windowBytes = 0;
      this.#unasked = 0;
    }
    this.#windowBytes += bytes;
    if (this.#windowBytes <= this.#limits.maxWindowBytes) return;
    throw new Error(
      `it sent more than ${this.#limits.maxWindowBytes} bytes within ${this.#limits.windowMs / 1000} s`,
    );
  }
}
