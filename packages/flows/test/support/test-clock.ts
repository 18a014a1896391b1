// A clock that moves when a test says so. Short waits end at once, so that retries take no time; limits do not.
import type { Clock } from "@codelia/flows";

/** Waits of at least this long are limits: they end when the time is passed. */
export const longMs = 100_000;

interface Waiting {
  readonly at: number;
  readonly resolve: () => void;
}

export class TestClock implements Clock {
  /** The short waits, as they were asked for. */
  readonly waits: number[] = [];
  readonly #limits = new Set<Waiting>();
  #now = 0;

  now(): number {
    return this.#now;
  }

  /** Ends every limit that is reached, in order. */
  pass(ms: number): void {
    this.#now += ms;
    for (const waiting of [...this.#limits].toSorted((a, b) => a.at - b.at)) {
      if (waiting.at > this.#now) return;
      this.#limits.delete(waiting);
      waiting.resolve();
    }
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    if (ms < longMs) {
      this.waits.push(ms);
      this.pass(ms);
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const waiting: Waiting = { at: this.#now + ms, resolve };
      this.#limits.add(waiting);
      const end = () => {
        this.#limits.delete(waiting);
        resolve();
      };
      signal.addEventListener("abort", end, { once: true });
    });
  }
}
