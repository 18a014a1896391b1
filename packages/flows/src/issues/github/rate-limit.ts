// How long to wait before a request is tried again; undefined when trying again is no help.
import { type Answer, isRateLimit } from "./answer.ts";

export interface FailedAttempt {
  /** Absent when there was no answer at all. */
  readonly response?: Answer;
  /** From 1. */
  readonly attempt: number;
  readonly random: () => number;
  readonly now: Date;
  /** Nothing happens twice when it is asked twice. */
  readonly isRepeatable: boolean;
}

/** Whoever is told to wait longer is told so: nobody sits in front of a program that stands still for an hour. */
const longestWaitMs = 120_000;

export function retryWait({
  response,
  attempt,
  random,
  now,
  isRepeatable,
}: FailedAttempt): number | undefined {
  const backoff = (0.5 + random() / 2) * Math.min(30_000, 500 * 2 ** attempt);
  if (response === undefined) return isRepeatable ? backoff : undefined;
  // A request that was refused for its number did nothing.
  if (isRateLimit(response)) {
    const wait = Math.max(askedFor(response, now) ?? 0, backoff);
    return wait > longestWaitMs ? undefined : wait;
  }
  return response.status >= 500 && isRepeatable ? backoff : undefined;
}

function askedFor({ headers }: Answer, now: Date): number | undefined {
  const after = Number(headers["retry-after"]);
  if (Number.isFinite(after) && after >= 0) return after * 1000;
  const reset = Number(headers["x-ratelimit-reset"]);
  return Number.isFinite(reset) && reset > 0 ? Math.max(0, reset * 1000 - now.getTime()) : undefined;
}
