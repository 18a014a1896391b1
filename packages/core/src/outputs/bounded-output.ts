// Takes a tool's output of any size in bounded memory: the start and the end for the model, the whole for a store.
import type { OutputWriter } from "../tools/index.ts";

/** Where outputs that are too long for the model are kept whole. */
export interface OutputStore {
  /** Called at most once an output, before the first byte would be lost. */
  open(): Promise<StoredOutput>;
}

export interface StoredOutput {
  write(chunk: Uint8Array): Promise<void>;
  /** @output the ref by which the model can open the whole output */
  finish(): Promise<string>;
}

export interface OutputLimits {
  readonly maxBytes: number;
  readonly maxLines: number;
}

export const defaultOutputLimits: OutputLimits = { maxBytes: 50 * 1024, maxLines: 2000 };

export interface FinishedOutput {
  /** What the model sees: whole lines, head and tail. */
  readonly text: string;
  readonly totalBytes: number;
  /** Present when `text` is not all. */
  readonly ref: string | undefined;
}

const lineFeed = 0x0a;

export class BoundedOutput implements OutputWriter {
  readonly #store: OutputStore;
  readonly #limits: OutputLimits;
  readonly #encoder = new TextEncoder();
  /** Everything while it fits; later the head only. */
  #head: Uint8Array[] = [];
  #headBytes = 0;
  #tail = new Uint8Array(0);
  #totalBytes = 0;
  #lineFeeds = 0;
  #stored: StoredOutput | undefined;

  constructor(store: OutputStore, limits: OutputLimits = defaultOutputLimits) {
    this.#store = store;
    this.#limits = limits;
  }

  async write(chunk: string | Uint8Array): Promise<void> {
    const bytes = typeof chunk === "string" ? this.#encoder.encode(chunk) : chunk;
    if (bytes.length === 0) return;
    this.#totalBytes += bytes.length;
    this.#lineFeeds += countLineFeeds(bytes);
    if (this.#stored === undefined && this.#isWithinLimits()) {
      this.#head.push(bytes.slice());
      this.#headBytes += bytes.length;
      return;
    }
    if (this.#stored === undefined) {
      this.#stored = await this.#store.open();
      for (const kept of this.#head) await this.#stored.write(kept);
    }
    await this.#stored.write(bytes);
    this.#keepEnds(bytes);
  }

  async finish(): Promise<FinishedOutput> {
    const head = joined(this.#head);
    if (this.#stored === undefined) {
      return { text: decode(head), totalBytes: this.#totalBytes, ref: undefined };
    }
    const ref = await this.#stored.finish();
    return { text: this.#cut(head, ref), totalBytes: this.#totalBytes, ref };
  }

  #isWithinLimits(): boolean {
    return this.#totalBytes <= this.#limits.maxBytes && this.#lineFeeds <= this.#limits.maxLines;
  }

  /** Half of the budget at each end. The head may still hold more: `#cut` takes what it needs. */
  #keepEnds(bytes: Uint8Array): void {
    const half = Math.floor(this.#limits.maxBytes / 2);
    if (this.#headBytes < half) {
      const part = bytes.slice(0, half - this.#headBytes);
      this.#head.push(part);
      this.#headBytes += part.length;
    }
    const tail = new Uint8Array(Math.min(half, this.#tail.length + bytes.length));
    const fromBytes = Math.min(bytes.length, tail.length);
    tail.set(this.#tail.subarray(this.#tail.length - (tail.length - fromBytes)), 0);
    tail.set(bytes.subarray(bytes.length - fromBytes), tail.length - fromBytes);
    this.#tail = tail;
  }

  #cut(head: Uint8Array, ref: string): string {
    const half = Math.floor(this.#limits.maxBytes / 2);
    const halfLines = Math.floor(this.#limits.maxLines / 2);
    const before = head.subarray(0, this.#totalBytes - this.#tail.length);
    const start = firstLines(before.subarray(0, half), halfLines);
    // A tail that is shorter than its share goes on directly after what was kept before the limit.
    const tailSource =
      this.#tail.length < half ? joined([before.subarray(start.length), this.#tail]) : this.#tail;
    const end = lastLines(tailSource.subarray(Math.max(0, tailSource.length - half)), halfLines);
    const missing = this.#totalBytes - start.length - end.length;
    const note = `[${missing} of ${this.#totalBytes} bytes left out here. The whole: tool_output_read or tool_output_search with ref ${ref}]`;
    return `${withLineEnd(decode(start))}${note}\n${decode(end)}`;
  }
}

function firstLines(bytes: Uint8Array, maxLines: number): Uint8Array {
  let end = 0;
  let lines = 0;
  for (let index = 0; index < bytes.length && lines < maxLines; index++) {
    if (bytes[index] === lineFeed) {
      end = index + 1;
      lines += 1;
    }
  }
  // A line longer than the whole budget is cut inside, which is better than showing nothing.
  return bytes.subarray(0, end === 0 ? bytes.length : end);
}

function lastLines(bytes: Uint8Array, maxLines: number): Uint8Array {
  let start = bytes.length;
  let lines = 0;
  for (let index = bytes.length - 2; index >= 0 && lines < maxLines; index--) {
    if (bytes[index] === lineFeed) {
      start = index + 1;
      lines += 1;
    }
  }
  return bytes.subarray(lines === 0 ? 0 : start);
}

function countLineFeeds(bytes: Uint8Array): number {
  let count = 0;
  for (let index = bytes.indexOf(lineFeed); index >= 0; index = bytes.indexOf(lineFeed, index + 1))
    count += 1;
  return count;
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let position = 0;
  for (const chunk of chunks) {
    all.set(chunk, position);
    position += chunk.length;
  }
  return all;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function withLineEnd(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
