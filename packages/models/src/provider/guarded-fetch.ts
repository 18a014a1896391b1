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
  /** Of one answer, after decompression. */
  readonly maxBytes: number;
}

export const defaultTransportLimits: TransportLimits = {
  firstByteMs: 600_000,
  idleMs: 120_000,
  totalMs: 3_600_000,
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
    const own = new AbortController();
    const signal = init?.signal ? AbortSignal.any([init.signal, own.signal]) : own.signal;
    const deadline = Date.now() + limits.totalMs;
    const response = await withinTime(
      // Redirected, a key in a header of the provider's own would go to whoever is named there.
      fetch(input, { ...init, headers: merged, redirect: "manual", signal }),
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
  const fail = (message: string, retryable: boolean): TransportError => {
    stop();
    return new TransportError(message, "ConnectionError", retryable);
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const left = deadline - Date.now();
      const { done, value } = await withinTime(
        reader.read(),
        Math.max(0, Math.min(limits.idleMs, left)),
        left < limits.idleMs
          ? `the answer was not complete after ${limits.totalMs / 1000} s`
          : `nothing arrived for ${limits.idleMs / 1000} s`,
        stop,
      );
      if (done) {
        controller.close();
        return;
      }
      bytes += value.byteLength;
      // The same request would run into the limit again.
      if (bytes > limits.maxBytes) throw fail(`the answer is longer than ${limits.maxBytes} bytes`, false);
      controller.enqueue(value);
    },
    async cancel(reason) {
      await reader.cancel(reason);
    },
  });
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
