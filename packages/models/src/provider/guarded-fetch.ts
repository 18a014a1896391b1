// A fetch that cannot be held up: it bounds how long and how much a server may answer, and follows no redirect.
import { TransportError } from "../failures/index.ts";

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface TransportLimits {
  /** Until the answer begins. Local servers read the whole prompt first, which takes minutes. */
  readonly firstByteMs: number;
  /** Between two pieces of the answer. Providers send pings while a model thinks, and those count. */
  readonly idleMs: number;
  /** For the whole answer. */
  readonly totalMs: number;
  /** For the end of the answer after its last part. A connection whose answer was cut off cannot be used again. */
  readonly endMs: number;
  /** Of one answer, after decompression. */
  readonly maxBytes: number;
}

export const defaultTransportLimits: TransportLimits = {
  firstByteMs: 600_000,
  idleMs: 120_000,
  totalMs: 3_600_000,
  endMs: 500,
  maxBytes: 16 * 1024 * 1024,
};

export interface GuardOptions {
  readonly fetch: Fetch;
  readonly limits: TransportLimits;
  /** Set on every request, over what the adapter sets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers to take off: the adapter's own key header where there is no key. */
  readonly without: readonly string[];
}

/**
 * @output a fetch whose failures are TransportErrors, and whose body ends with one when a limit is reached
 * @effects one request
 */
export function guardedFetch({ fetch, limits, headers, without }: GuardOptions): Fetch {
  return async (input, init) => {
    const merged = new Headers(init?.headers);
    for (const name of without) merged.delete(name);
    for (const [name, value] of Object.entries(headers)) merged.set(name, value);
    const own = abortedWith(init?.signal);
    const deadline = Date.now() + limits.totalMs;
    const response = await withinTime(
      // Redirected, a key in a header of the provider's own would go to whoever is named there.
      fetch(input, { ...init, headers: merged, redirect: "manual", signal: own.signal }),
      limits.firstByteMs,
      `the server did not begin to answer within ${limits.firstByteMs / 1000} s`,
      () => own.abort(),
    );
    refuseWrongAnswers(response);
    if (response.body === null) return response;
    const body = boundedBody(response.body, { limits, deadline, stop: () => own.abort() });
    return new Response(body, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}

/** Ends with the caller's signal, or alone. `AbortSignal.any` would need two more objects for every request. */
function abortedWith(signal: AbortSignal | null | undefined): AbortController {
  const own = new AbortController();
  const follow = () => own.abort(signal?.reason);
  if (signal?.aborted) follow();
  else signal?.addEventListener("abort", follow, { once: true });
  return own;
}

function refuseWrongAnswers(response: Response): void {
  const { status, headers } = response;
  if (status >= 300 && status < 400) {
    const target = headers.get("location") ?? "another place";
    const message = `the server redirects to ${target}: set that as the base URL if you trust it (HTTP ${status})`;
    throw new TransportError(message, "InvalidRequest", false);
  }
  if (response.ok && /^text\/html\b/i.test(headers.get("content-type") ?? "")) {
    const message = "the server answered with a web page instead of a model's answer: check the base URL";
    throw new TransportError(message, "InvalidRequest", false);
  }
}

interface BodyGuard {
  readonly limits: TransportLimits;
  readonly deadline: number;
  readonly stop: () => void;
}

function boundedBody(
  body: ReadableStream<Uint8Array>,
  { limits, deadline, stop }: BodyGuard,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  const lateAfter = (left: number) =>
    left < limits.idleMs
      ? `the answer was not complete after ${limits.totalMs / 1000} s`
      : `nothing arrived for ${limits.idleMs / 1000} s`;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const left = deadline - Date.now();
        const timer = setTimeout(
          () => {
            // The reader is told at once, whether the read below ever ends or not.
            controller.error(new TransportError(lateAfter(left), "ConnectionError", true));
            stop();
          },
          Math.max(0, Math.min(limits.idleMs, left)),
        );
        const { done, value } = await reader.read().finally(() => clearTimeout(timer));
        if (done) {
          controller.close();
          return;
        }
        bytes += value.byteLength;
        if (bytes > limits.maxBytes) {
          stop();
          // The same request would run into the limit again.
          const message = `the answer is longer than ${limits.maxBytes} bytes`;
          throw new TransportError(message, "ConnectionError", false);
        }
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read ahead: the adapter's own streams have queues.
    { highWaterMark: 0 },
  );
}

async function withinTime<T>(promise: Promise<T>, ms: number, late: string, stop: () => void): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new TransportError(late, "ConnectionError", true));
      stop();
    }, ms);
  });
  // Whichever loses the race must not end as an unhandled rejection.
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
