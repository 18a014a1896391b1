// What is on its way to the other side: in order, counted until it is taken, and never more than a limit.
import { ProtocolError } from "../error.ts";
import type { WireLimits } from "./limits.ts";
import type { Transport } from "./transport.ts";

/** Small messages that wait are written together. */
const writeBytes = 64 * 1024;

export interface OutboxOptions {
  readonly transport: Pick<Transport, "write">;
  readonly limits: Pick<WireLimits, "pauseAtBytes" | "endAtBytes">;
  /** The other side does not read, or is gone. Nothing is sent from then on. */
  readonly onFailure: (error: ProtocolError) => void;
}

export class Outbox {
  readonly #options: OutboxOptions;
  #lines: Uint8Array[] = [];
  #bytes = 0;
  #isClosed = false;
  #writing: Promise<void> | undefined;
  /** Those who wait for room. */
  readonly #waiting = new Set<() => void>();

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  send(line: Uint8Array): void {
    if (this.#isClosed) return;
    this.#lines.push(line);
    this.#bytes += line.length;
    if (this.#bytes > this.#options.limits.endAtBytes) this.#fail(tooSlow(this.#bytes));
    else this.#begin();
  }

  /** Returns when there is room again, or when there is no point in waiting. */
  room(signal?: AbortSignal): Promise<void> {
    if (this.#hasRoom || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const resume = () => {
        signal?.removeEventListener("abort", resume);
        this.#waiting.delete(resume);
        resolve();
      };
      signal?.addEventListener("abort", resume);
      this.#waiting.add(resume);
    });
  }

  /** Waits so long until everything was taken, and takes nothing more. */
  async finish(lingerMs: number): Promise<void> {
    this.#isClosed = true;
    this.#resume();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, lingerMs);
    });
    await Promise.race([this.#writing, patience]);
    clearTimeout(timer);
    this.#lines = [];
  }

  /** What is not taken yet is forgotten, but for one last line. */
  close(last?: Uint8Array): void {
    this.#isClosed = true;
    this.#lines = last === undefined ? [] : [last];
    this.#resume();
    if (last !== undefined) this.#begin();
  }

  get #hasRoom(): boolean {
    return this.#isClosed || this.#bytes <= this.#options.limits.pauseAtBytes;
  }

  #resume(): void {
    if (!this.#hasRoom) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resume of waiting) resume();
  }

  #begin(): void {
    this.#writing ??= this.#write();
  }

  async #write(): Promise<void> {
    try {
      // What is said at one moment goes together.
      await Promise.resolve();
      while (this.#lines.length > 0) {
        const bytes = this.#takeSome();
        await this.#options.transport.write(bytes);
        this.#bytes -= bytes.length;
        this.#resume();
      }
    } catch (error) {
      this.#fail(new ProtocolError("disconnected", "the other side is gone", undefined, { cause: error }));
    } finally {
      this.#writing = undefined;
    }
  }

  #takeSome(): Uint8Array {
    let count = 0;
    let length = 0;
    for (const { length: next } of this.#lines) {
      if (count > 0 && length + next > writeBytes) break;
      count += 1;
      length += next;
    }
    const taken = this.#lines.splice(0, count);
    const [only] = taken;
    if (taken.length === 1 && only !== undefined) return only;
    const joined = new Uint8Array(length);
    let at = 0;
    for (const line of taken) {
      joined.set(line, at);
      at += line.length;
    }
    return joined;
  }

  #fail(error: ProtocolError): void {
    const wasOpen = !this.#isClosed;
    this.close();
    if (wasOpen) this.#options.onFailure(error);
  }
}

function tooSlow(bytes: number): ProtocolError {
  return new ProtocolError(
    "too_slow",
    `${bytes} bytes wait to be read, so the connection is ended`,
    "Read what is sent while requests are worked on.",
  );
}
