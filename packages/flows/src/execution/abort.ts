// Ending what is under way: by a signal, by a time limit, and in the end without those who do not listen.
import { type AgentError, asAgentError } from "../error.ts";
import type { Clock } from "./clock.ts";

/** How long something that was told to end may take for it. */
export const graceMs = 5_000;

/**
 * @output what the work gave; also when it ended well although it was told to end
 * @error  what the work threw; the signal's reason once it aborts, at the latest after the grace
 */
export async function orAborted<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  clock: Clock,
): Promise<T> {
  if (signal.aborted) throw asAgentError(signal.reason);
  const over = new AbortController();
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true, signal: over.signal });
  });
  const working = work(signal);
  const ended = working.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  try {
    const first = await Promise.race([ended, aborted.then(() => clock.wait(graceMs, over.signal))]);
    if (first !== undefined && "value" in first) return first.value;
    if (signal.aborted) throw asAgentError(signal.reason);
    throw first?.error;
  } finally {
    over.abort();
  }
}

export interface Deadline extends Disposable {
  /** Of the outer signal, or of the time that has passed. */
  readonly signal: AbortSignal;
}

/** @input ms: undefined for no limit @effects waits on the clock until it is disposed of */
export function deadline(
  outer: AbortSignal,
  clock: Clock,
  ms: number | undefined,
  reason: () => AgentError,
): Deadline {
  if (ms === undefined) return { signal: outer, [Symbol.dispose]: () => undefined };
  const passed = new AbortController();
  const over = new AbortController();
  void clock.wait(Math.max(0, ms), over.signal).then(() => {
    if (!over.signal.aborted) passed.abort(reason());
  });
  return { signal: AbortSignal.any([outer, passed.signal]), [Symbol.dispose]: () => over.abort() };
}
