// Asks model servers which models they have, briefly and with little trust: anything may listen on these ports.
import type { Fetch } from "../provider/index.ts";
import { builtInProviders } from "./built-in.ts";
import { boundedText, parseModelList } from "./model-list.ts";

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
    return response.ok ? parseModelList(await boundedText(response.body)) : undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
}
