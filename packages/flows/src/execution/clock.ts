// Time as a port: what the run asks, and how it waits.
import { setTimeout as sleep } from "node:timers/promises";

export interface Clock {
  /** Milliseconds; only differences count. */
  now(): number;
  /** Resolves after the time, or as soon as the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wait: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
};
