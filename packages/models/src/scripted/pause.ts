// Waiting that an abort ends at once, whatever the timer does.

/** Resolves after this time; may resolve or reject early when the signal aborts. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/**
 * @output true when the time is over, false when the signal aborted
 * @error  none: a timer that rejects only shortens the wait
 */
export async function pause(sleep: Sleep, milliseconds: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  if (milliseconds <= 0) return true;
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const onAbort = () => resolve();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await Promise.race([sleep(milliseconds, signal), aborted]);
  } catch {
    // An aborted timer usually rejects; the signal below tells.
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
  return !signal.aborted;
}
