// Repeats a request that failed in a way that may pass: full jitter, Retry-After honoured, bounded in count and time.
import { setTimeout as wait } from "node:timers/promises";
import type { ModelConnection, ModelFailure, StreamPart } from "@codelia/shared-types";
import { aborted } from "../failures/index.ts";

export interface RetryPolicy {
  /** The first one included. */
  readonly maxAttempts: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  /** A server that asks for more gets this much. */
  readonly maxRetryAfterMs: number;
  /** No wait may end later than this after the start. */
  readonly maxTotalMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  maxAttempts: 6,
  baseDelayMs: 500,
  maxDelayMs: 30_000,
  maxRetryAfterMs: 120_000,
  maxTotalMs: 600_000,
};

export interface RetryEffects {
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
  /** Resolves after the time, or at once when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
}

const realEffects: RetryEffects = {
  random: Math.random,
  sleep: (ms, signal) => wait(ms, undefined, { signal }).catch(() => undefined),
  now: Date.now,
};

/**
 * @output a connection that sends `restart` before each new attempt: what came before in this response is void
 * @effects up to `maxAttempts` requests
 */
export function withRetry(
  connection: ModelConnection,
  policy: Partial<RetryPolicy> = {},
  effects: Partial<RetryEffects> = {},
): ModelConnection {
  const bounds = { ...defaultRetryPolicy, ...policy };
  const { random, sleep, now } = { ...realEffects, ...effects };
  return {
    id: connection.id,
    contextWindow: connection.contextWindow,
    async *stream(request, signal) {
      const start = now();
      for (let attempt = 1; ; attempt += 1) {
        const failure = yield* attemptOnce(connection.stream(request, signal));
        if (failure === undefined) return;
        const delayMs = delayOf(failure, attempt, bounds, random);
        const givenUp = attempt >= bounds.maxAttempts || now() - start + delayMs > bounds.maxTotalMs;
        if (!failure.retryable || givenUp || signal.aborted) {
          yield { type: "failure", failure };
          return;
        }
        yield { type: "restart", attempt: attempt + 1, failure, delayMs };
        await sleep(delayMs, signal);
        if (signal.aborted) {
          yield { type: "failure", failure: aborted };
          return;
        }
      }
    },
  };
}

/** @output passes everything on but a failure, which it returns; undefined after `finish` */
async function* attemptOnce(
  parts: AsyncIterable<StreamPart>,
): AsyncGenerator<StreamPart, ModelFailure | undefined> {
  for await (const part of parts) {
    if (part.type === "failure") return part.failure;
    yield part;
    if (part.type === "finish") return undefined;
  }
  const message = "The connection ended its answer with neither finish nor failure.";
  return { kind: "ConnectionError", message, retryable: true };
}

function delayOf(failure: ModelFailure, attempt: number, policy: RetryPolicy, random: () => number): number {
  const ceiling = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (attempt - 1));
  const backoff = Math.round(random() * ceiling);
  if (failure.retryAfterMs === undefined) return backoff;
  // Jitter on top, so that clients that were told the same time do not come back together.
  return Math.min(failure.retryAfterMs, policy.maxRetryAfterMs) + Math.round(random() * policy.baseDelayMs);
}
