// Bytes as lines, each within a limit. Of a line that is too long nothing is kept.

export type Line =
  | { readonly kind: "line"; readonly bytes: Uint8Array }
  /** Said once, as soon as it is known; the rest of that line is skipped. */
  | { readonly kind: "too_long" };

const lineFeed = 0x0a;
const smallest = 4096;

export class LineReader {
  readonly #maxBytes: number;
  /** The line that has not ended yet, in one buffer: a part each would cost more than its bytes. */
  #kept = new Uint8Array(smallest);
  #length = 0;
  #isSkipping = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @output the lines that end in this chunk; their bytes count until the next chunk is given */
  *push(chunk: Uint8Array): Generator<Line> {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      const line = this.#ended(chunk.subarray(from, end));
      if (line !== undefined) yield line;
      from = end + 1;
    }
    if (!this.#keep(chunk.subarray(from))) yield { kind: "too_long" };
  }

  /** @output what stands behind the last line end */
  *end(): Generator<Line> {
    const line = this.#ended(new Uint8Array());
    if (line?.kind === "line" && line.bytes.length > 0) yield line;
  }

  #ended(rest: Uint8Array): Line | undefined {
    if (this.#isSkipping) {
      this.#isSkipping = false;
      return undefined;
    }
    if (this.#length === 0 && rest.length <= this.#maxBytes) return { kind: "line", bytes: rest };
    const fits = this.#keep(rest);
    this.#isSkipping = false;
    const bytes = this.#kept.subarray(0, this.#length);
    this.#forget();
    return fits ? { kind: "line", bytes } : { kind: "too_long" };
  }

  /** @output false: with this the line became too long */
  #keep(part: Uint8Array): boolean {
    if (this.#isSkipping) return true;
    const length = this.#length + part.length;
    if (length > this.#maxBytes) {
      this.#isSkipping = true;
      this.#forget();
      return false;
    }
    if (length > this.#kept.length) {
      const larger = new Uint8Array(Math.min(this.#maxBytes, Math.max(length, 2 * this.#kept.length)));
      larger.set(this.#kept.subarray(0, this.#length));
      this.#kept = larger;
    }
    this.#kept.set(part, this.#length);
    this.#length = length;
    return true;
  }

  /** A large line's buffer is not kept for the small ones that follow. */
  #forget(): void {
    this.#length = 0;
    this.#kept = new Uint8Array(smallest);
  }
}
