// A connection to one model of one provider: one request, one stream, failures as values.
import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { ModelConnection, ModelRequest, ProviderKind, StreamPart } from "@codelia/shared-types";
import { aborted, failureOf, redactor } from "../failures/index.ts";
import { keyHeaders, loadAdapter } from "./adapters.ts";
import { requestOptions, withCacheMarks } from "./cache.ts";
import { defaultTransportLimits, type Fetch, guardedFetch, type TransportLimits } from "./guarded-fetch.ts";
import { endedEarly, PartTranslator } from "./parts.ts";
import { toPrompt, toTools } from "./prompt.ts";

export interface ConnectionOptions {
  readonly provider: string;
  readonly kind: ProviderKind;
  readonly modelId: string;
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Where the key came from, for the message when it is refused. */
  readonly keySource?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly contextWindow?: number | undefined;
  readonly fetch: Fetch;
  readonly limits?: Partial<TransportLimits>;
}

/**
 * @output a connection that makes each request once; `withRetry` repeats
 * @effects none until the first request, which loads the provider's package
 */
export function createConnection(options: ConnectionOptions): ModelConnection {
  const { provider, kind, modelId, baseUrl, apiKey, headers = {} } = options;
  const { username, password } = new URL(baseUrl);
  const redact = redactor([apiKey, ...Object.values(headers), username, password]);
  const limits = { ...defaultTransportLimits, ...options.limits };
  const fetch = guardedFetch({
    fetch: options.fetch,
    limits,
    headers,
    without: apiKey === undefined ? [keyHeaders[kind]] : [],
  });
  let adapter: Promise<LanguageModelV4> | undefined;
  const load = () => {
    adapter ??= loadAdapter({ kind, modelId, baseUrl, apiKey, fetch });
    return adapter;
  };
  return {
    id: `${provider}/${modelId}`,
    contextWindow: options.contextWindow,
    async *stream(request, signal) {
      if (signal.aborted) {
        yield { type: "failure", failure: aborted };
        return;
      }
      try {
        yield* answer(load, request, { kind, signal, endMs: limits.endMs });
      } catch (error) {
        const context = {
          provider,
          aborted: signal.aborted,
          keySource: options.keySource,
          redact,
          now: Date.now(),
        };
        yield { type: "failure", failure: failureOf(error, context) };
      }
    },
  };
}

interface AnswerOptions {
  readonly kind: ProviderKind;
  readonly signal: AbortSignal;
  readonly endMs: number;
}

/** @error throws whatever ended the answer before its `finish` */
async function* answer(
  load: () => Promise<LanguageModelV4>,
  request: ModelRequest,
  { kind, signal, endMs }: AnswerOptions,
): AsyncGenerator<StreamPart> {
  // Ends the request also when the consumer stops listening.
  const ending = new AbortController();
  const { promise: abortion, reject } = Promise.withResolvers<never>();
  abortion.catch(() => undefined);
  const onAbort = () => {
    ending.abort();
    reject(new Error("aborted"));
  };
  signal.addEventListener("abort", onAbort, { once: true });
  /** An adapter may take its time to notice; the caller does not wait for it. */
  const orAbort = <T>(promise: PromiseLike<T>): Promise<T> => Promise.race([promise, abortion]);
  const cutOff = () => ending.abort();
  let leave = cutOff;
  try {
    const model = await orAbort(load());
    const { stream } = await orAbort(model.doStream(callOptions(request, kind, ending.signal)));
    const reader = stream.getReader();
    leave = () => {
      reader.cancel().catch(() => undefined);
      cutOff();
    };
    const translator = new PartTranslator(request.messages, kind);
    for (;;) {
      const { done, value } = await orAbort(reader.read());
      if (done) throw endedEarly();
      for (const part of translator.translate(value)) {
        if (part.type === "finish") leave = () => void readEnd(() => reader.read(), endMs, cutOff);
        yield part;
        if (part.type === "finish") return;
        // The consumer may have ended it while it held the part.
        if (signal.aborted) throw new Error("aborted");
      }
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    leave();
  }
}

/** Nothing of it is used, but a connection can serve the next request only when its answer was read to the end. */
async function readEnd(
  read: () => Promise<{ done: boolean }>,
  ms: number,
  cutOff: () => void,
): Promise<void> {
  const timer = setTimeout(cutOff, ms);
  try {
    while (!(await read()).done);
  } catch {
    // The answer is complete, whatever happens to its connection.
  } finally {
    clearTimeout(timer);
  }
}

function callOptions(
  request: ModelRequest,
  kind: ProviderKind,
  signal: AbortSignal,
): LanguageModelV4CallOptions {
  const tools = toTools(request.tools);
  return {
    prompt: withCacheMarks(toPrompt(request.messages, kind), kind),
    ...(tools.length > 0 ? { tools, toolChoice: { type: "auto" } } : {}),
    ...(request.maxOutputTokens === undefined ? {} : { maxOutputTokens: request.maxOutputTokens }),
    providerOptions: requestOptions(kind, request.cacheKey),
    // The only way to tell the ids on the wire from those that this adapter makes up.
    includeRawChunks: kind === "openai-compatible",
    abortSignal: signal,
  };
}
