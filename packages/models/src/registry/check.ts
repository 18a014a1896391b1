// Asks each configured provider whether it can be used: a real request, with the key, briefly.
import type { ProviderKind } from "@codelia/shared-types";
import { redactor } from "../failures/index.ts";
import { type Fetch, keyHeaders } from "../provider/index.ts";
import { builtInProviders } from "./built-in.ts";
import { boundedText, parseModelList } from "./model-list.ts";
import { providerNames, type RegistryOptions, type ResolvedProvider, resolveProvider } from "./resolve.ts";

export type ProviderAnswer =
  /** Models: the ids that it lists; undefined when it lists none that can be read. */
  | { readonly outcome: "answers"; readonly models: readonly string[] | undefined }
  | { readonly outcome: "wrong_key"; readonly status: number }
  /** It answers, and says neither yes nor no to the key. */
  | { readonly outcome: "refuses"; readonly status: number }
  | { readonly outcome: "silent"; readonly reason: string }
  | { readonly outcome: "no_address" };

export interface ProviderCheck {
  readonly provider: string;
  /** Without the key. */
  readonly baseUrl: string | undefined;
  /** The variable or the setting that the key is taken from. */
  readonly keySource: string | undefined;
  readonly local: boolean;
  readonly answer: ProviderAnswer;
}

export interface CheckOptions extends RegistryOptions {
  readonly fetch: Fetch;
  readonly timeoutMs: number;
}

/**
 * @output the providers that have a key or were configured by the user, and the servers on this computer that answer
 * @effects one GET request to each, with its key, which follows no redirect; nothing is sent but the key
 */
export async function checkProviders(options: CheckOptions): Promise<ProviderCheck[]> {
  const checks = providerNames(options.providers)
    .map((name) => resolveProvider(name, options))
    .filter((provider) => provider !== undefined)
    .filter((provider) => isAsked(provider, options))
    .map(async (provider) => ({
      provider: provider.name,
      baseUrl: provider.baseUrl,
      keySource: provider.apiKey === undefined ? undefined : provider.keySource,
      local: provider.local,
      answer: await ask(provider, options),
    }));
  const isExpected = ({ provider }: ProviderCheck) => Object.hasOwn(options.providers ?? {}, provider);
  return (await Promise.all(checks)).filter(
    (check) => !check.local || check.answer.outcome !== "silent" || isExpected(check),
  );
}

function isAsked({ name, apiKey, local }: ResolvedProvider, { providers = {} }: CheckOptions): boolean {
  return apiKey !== undefined || local || Object.hasOwn(providers, name);
}

async function ask(provider: ResolvedProvider, options: CheckOptions): Promise<ProviderAnswer> {
  const { name, kind, baseUrl } = provider;
  if (baseUrl === undefined || !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? "")) {
    return { outcome: "no_address" };
  }
  const builtIn = Object.hasOwn(builtInProviders, name) ? builtInProviders[name] : undefined;
  const keyPath = provider.apiKey === undefined ? undefined : builtIn?.keyCheckPath;
  return request(`${baseUrl}${keyPath ?? listPath(kind)}`, provider, options);
}

async function request(
  url: string,
  { kind, apiKey, headers }: ResolvedProvider,
  { fetch, timeoutMs }: CheckOptions,
): Promise<ProviderAnswer> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), timeoutMs);
  try {
    const response = await fetch(url, {
      headers: { ...keyHeader(kind, apiKey), ...headers },
      redirect: "manual",
      signal: ending.signal,
    });
    const { status } = response;
    const text = await boundedText(response.body);
    if (status === 401 || status === 403 || /API_KEY_INVALID|invalid_api_key/.test(response.ok ? "" : text)) {
      return { outcome: "wrong_key", status };
    }
    return response.ok ? { outcome: "answers", models: listed(text) } : { outcome: "refuses", status };
  } catch (error) {
    const clean = redactor([apiKey, ...Object.values(headers)]);
    const reason = error instanceof Error ? error.message : String(error);
    return {
      outcome: "silent",
      reason: ending.signal.aborted ? `no answer within ${timeoutMs / 1000} s` : clean(reason),
    };
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
}

function listPath(kind: ProviderKind): string {
  if (kind === "anthropic") return "/models?limit=1000";
  return kind === "google" ? "/models?pageSize=1000" : "/models";
}

function keyHeader(kind: ProviderKind, apiKey: string | undefined): Record<string, string> {
  const version: Record<string, string> = kind === "anthropic" ? { "anthropic-version": "2023-06-01" } : {};
  if (apiKey === undefined) return version;
  const header = keyHeaders[kind];
  return { ...version, [header]: header === "authorization" ? `Bearer ${apiKey}` : apiKey };
}

function listed(text: string): string[] | undefined {
  try {
    return parseModelList(text);
  } catch {
    return undefined;
  }
}
