// A command's output as its carrier sends it: first the carrier's own id on a line, then everything that was written.
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";

const lineFeed = 0x0a;
/** No process id is longer. */
const maxIdBytes = 20;

export class CarriedOutput {
  readonly #stream: Readable;
  readonly #hasCarrier: boolean;
  #announce: (pid: number | undefined) => void = () => undefined;
  #chunks = 0;
  #isTaken = true;
  /** Known once the carrier stands; undefined: there is none, or the command was ended before it stood. */
  readonly carrier: Promise<number | undefined>;

  constructor(stream: Readable, hasCarrier: boolean) {
    this.#stream = stream;
    this.#hasCarrier = hasCarrier;
    this.carrier = new Promise((resolve) => {
      this.#announce = resolve;
    });
    if (!hasCarrier) this.#announce(undefined);
  }

  /** What the command wrote. To be read once. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    let head: Buffer | undefined = this.#hasCarrier ? Buffer.alloc(0) : undefined;
    try {
      for await (const chunk of this.#stream) {
        if (!(chunk instanceof Uint8Array)) continue;
        let bytes: Uint8Array = chunk;
        if (head !== undefined) {
          head = Buffer.concat([head, chunk]);
          const end = head.indexOf(lineFeed);
          if (end < 0 && head.length <= maxIdBytes) continue;
          this.#announce(processId(head.subarray(0, Math.max(0, end))));
          bytes = head.subarray(end + 1);
          head = undefined;
        }
        this.#chunks += 1;
        this.#isTaken = false;
        if (bytes.length > 0) yield bytes;
        this.#isTaken = true;
      }
    } finally {
      this.#announce(undefined);
    }
  }

  /**
   * Waits for the end of the output, as long as there is progress: a reader that takes its time is no standstill.
   * @input  reading: settles when `chunks` was read to its end
   * @output false: nothing came for `limit` milliseconds
   */
  async drained(reading: Promise<unknown>, limit: number): Promise<boolean> {
    const ended = reading.then(
      () => true,
      () => true,
    );
    for (;;) {
      const before = this.#chunks;
      if (await Promise.race([ended, delay(limit, false, { ref: false })])) return true;
      if (this.#isTaken && this.#chunks === before) return false;
    }
  }
}

function processId(line: Uint8Array): number | undefined {
  const text = Buffer.from(line).toString("latin1");
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
