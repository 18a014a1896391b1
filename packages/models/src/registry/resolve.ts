// One provider as it stands: what is built in, under the environment, under the user's configuration.
import type { ProviderKind, ProvidersConfig } from "@codelia/shared-types";
import { builtInProviders } from "./built-in.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface RegistryOptions {
  readonly env: Environment;
  /** From user config. */
  readonly providers?: ProvidersConfig;
}

export interface ResolvedProvider {
  readonly name: string;
  readonly kind: ProviderKind;
  /** Undefined when a provider of the user's own has none. */
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** Where the key came from or would come from: a variable's name, or the configuration. */
  readonly keySource: string | undefined;
  /** Without a key it cannot be used. */
  readonly needsKey: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** On this computer. */
  readonly local: boolean;
  readonly defaultModel: string | undefined;
}

/** @output the built-in ones first, then the user's own */
export function providerNames(providers: ProvidersConfig = {}): string[] {
  return [...new Set([...Object.keys(builtInProviders), ...Object.keys(providers)])];
}

/** @output undefined when there is no provider of that name */
export function resolveProvider(name: string, options: RegistryOptions): ResolvedProvider | undefined {
  const { env, providers = {} } = options;
  const builtIn = Object.hasOwn(builtInProviders, name) ? builtInProviders[name] : undefined;
  const config = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (builtIn === undefined && config === undefined) return undefined;
  const kind = config?.kind ?? builtIn?.kind ?? "openai-compatible";
  const fromVariable = variableValue(env, builtIn?.baseUrlVariable);
  const versioned = config?.baseUrl ?? fromVariable;
  const baseUrl = versioned === undefined ? builtIn?.baseUrl : withVersion(versioned, kind);
  const local = baseUrl !== undefined && isLoopback(baseUrl);
  const headers = config?.headers ?? {};
  return {
    name,
    kind,
    baseUrl,
    ...keyOf(name, options, builtIn?.keyVariables ?? []),
    needsKey: !local && !carriesKey(headers) && (kind !== "openai-compatible" || builtIn?.local === false),
    headers,
    local,
    defaultModel: builtIn?.defaultModel,
  };
}

function keyOf(
  name: string,
  { env, providers = {} }: RegistryOptions,
  variables: readonly string[],
): Pick<ResolvedProvider, "apiKey" | "keySource"> {
  const config = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (config?.apiKey !== undefined)
    return { apiKey: config.apiKey, keySource: `models.providers.${name}.apiKey` };
  const candidates = config?.apiKeyEnv === undefined ? variables : [config.apiKeyEnv];
  const variable = candidates.find((candidate) => variableValue(env, candidate) !== undefined);
  return { apiKey: variableValue(env, variable), keySource: variable ?? candidates[0] };
}

/** An empty variable is one that is not set. */
function variableValue(env: Environment, variable: string | undefined): string | undefined {
  const value = variable === undefined ? undefined : env[variable]?.trim();
  return value === "" ? undefined : value;
}

/** Anthropic's and Google's own tools take an address without the version, and their users' variables are like that. */
function withVersion(address: string, kind: ProviderKind): string {
  const trimmed = address.replace(/\/+$/, "");
  if (kind !== "anthropic" && kind !== "google") return trimmed;
  if (/\/v\d+[a-z0-9]*$/.test(trimmed)) return trimmed;
  return `${trimmed}/${kind === "anthropic" ? "v1" : "v1beta"}`;
}

function carriesKey(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) =>
    /^(?:authorization|x-api-key|x-goog-api-key|api-key)$/i.test(name),
  );
}

/** Whether requests can be sent there at all. */
export function isAddress(address: string): boolean {
  return /^https?:$/.test(URL.parse(address)?.protocol ?? "");
}

export function isLoopback(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? "";
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
