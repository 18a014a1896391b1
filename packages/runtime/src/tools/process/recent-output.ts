// Keeps the last part of a background job's output, and how much there was in all.

export class RecentOutput {
  readonly #capacity: number;
  #chunks: Uint8Array[] = [];
  #size = 0;
  /** Bytes that were ever added. */
  total = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.total += chunk.length;
    this.#chunks.push(Uint8Array.from(chunk.subarray(Math.max(0, chunk.length - this.#capacity))));
    this.#size += this.#chunks.at(-1)?.length ?? 0;
    // Joined only now and then, so that many small chunks do not cost a copy each.
    if (this.#size > 2 * this.#capacity || this.#chunks.length > 4_096) this.#trim();
  }

  /** @output what came after the first `seen` bytes, and how much of it is lost */
  since(seen: number): { readonly bytes: Uint8Array; readonly lost: number } {
    this.#trim();
    const [kept = new Uint8Array()] = this.#chunks;
    const wanted = this.total - seen;
    const bytes = kept.subarray(Math.max(0, kept.length - wanted));
    return { bytes, lost: wanted - bytes.length };
  }

  #trim(): void {
    const all = Buffer.concat(this.#chunks);
    const kept = Buffer.from(all.subarray(Math.max(0, all.length - this.#capacity)));
    this.#chunks = [kept];
    this.#size = kept.length;
  }
}
