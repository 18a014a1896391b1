// Asks model servers which models they have, briefly and with little trust: anything may listen on these ports.
import { z } from "zod";
import type { Fetch } from "../provider/index.ts";
import { builtInProviders } from "./built-in.ts";

export interface ProbeOptions {
  readonly fetch: Fetch;
  readonly timeoutMs?: number;
}

export interface LocalServer {
  readonly provider: string;
  readonly baseUrl: string;
  readonly models: readonly string[];
}

const defaultTimeoutMs = 500;
const maxBytes = 1024 * 1024;

const ModelListSchema = z.looseObject({
  data: z.array(z.looseObject({ id: z.string().min(1).max(200) })).max(10_000),
});

/**
 * @output the model servers that answer on their default ports of this computer
 * @effects one request to each of three ports of 127.0.0.1
 */
export async function discoverLocal(options: ProbeOptions): Promise<LocalServer[]> {
  const local = Object.entries(builtInProviders).filter(([, provider]) => provider.local);
  const answers = await Promise.all(
    local.map(async ([provider, { baseUrl }]) => {
      const models = await listModels(baseUrl, options);
      return models === undefined ? [] : [{ provider, baseUrl, models }];
    }),
  );
  return answers.flat();
}

/**
 * @output the ids that the server lists; undefined when it is no model server, or does not answer in time
 * @effects one GET request without a key, which follows no redirect
 */
export async function listModels(baseUrl: string, options: ProbeOptions): Promise<string[] | undefined> {
  const { fetch, timeoutMs = defaultTimeoutMs } = options;
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), timeoutMs);
  try {
    const response = await fetch(`${baseUrl}/models`, { redirect: "manual", signal: ending.signal });
    if (!response.ok || response.body === null) return undefined;
    const list = ModelListSchema.parse(JSON.parse(await boundedText(response.body)));
    // An id goes into commands and onto screens.
    return list.data.map(({ id }) => id).filter((id) => !/[\s\p{Cc}\p{Cf}]/u.test(id));
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
}

async function boundedText(body: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new RangeError("the list of models is too long");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
