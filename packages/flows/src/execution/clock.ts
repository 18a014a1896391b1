// Time as a port: what the run asks, and how it waits.
import { setTimeout as sleep } from "node:timers/promises";

export interface Clock {
  /** Milliseconds; only differences count. */
  now(): number;
  /** Resolves after the time, or as soon as the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** Timers count in 32 bits; a longer one would end at once. */
const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  wait: async (ms, signal) => {
    for (let left = ms; !signal.aborted; left -= longestTimer) {
      await sleep(Math.min(left, longestTimer), undefined, { signal }).catch(() => undefined);
      if (left <= longestTimer) return;
    }
  },
};
