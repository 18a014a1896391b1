// Which models can be used here, and which one is used when nobody says.
import { visibleName } from "@codelia/shared-types";
import { knownModels } from "../prices/index.ts";
import { listModels, type ProbeOptions } from "./local.ts";
import { findProvider, type ModelChoiceFailure, missingKey } from "./open.ts";
import {
  isAddress,
  providerNames,
  type RegistryOptions,
  type ResolvedProvider,
  resolveProvider,
} from "./resolve.ts";

export interface ProviderListing {
  readonly provider: string;
  readonly usable: boolean;
  /** Why it can be used, or what is missing. */
  readonly reason: string;
  /** Ids that are known; other ids may work too, except for a local server. */
  readonly models: readonly string[];
}

export interface ListOptions extends RegistryOptions, ProbeOptions {}

/**
 * @output every provider, the built-in ones first
 * @effects asks the servers on this computer for their models; no request leaves it
 */
export async function listUsableModels(options: ListOptions): Promise<ProviderListing[]> {
  const providers = providerNames(options.providers)
    .map((name) => resolveProvider(name, options))
    .filter((provider) => provider !== undefined);
  return Promise.all(providers.map((provider) => listingOf(provider, options)));
}

async function listingOf(provider: ResolvedProvider, options: ProbeOptions): Promise<ProviderListing> {
  const { name, baseUrl, local, keySource, apiKey, needsKey } = provider;
  if (baseUrl === undefined) {
    return {
      provider: name,
      usable: false,
      reason: `models.providers.${name}.baseUrl is not set`,
      models: [],
    };
  }
  if (!isAddress(baseUrl)) {
    return { provider: name, usable: false, reason: `${visibleName(baseUrl)} is no address`, models: [] };
  }
  if (local) {
    const models = await listModels(baseUrl, options);
    if (models === undefined) {
      return { provider: name, usable: false, reason: `no model server answers at ${baseUrl}`, models: [] };
    }
    const reason = models.length > 0 ? `answers at ${baseUrl}` : `answers at ${baseUrl}, but has no model`;
    return { provider: name, usable: models.length > 0, reason, models };
  }
  const models = knownModels(name);
  if (needsKey && apiKey === undefined) {
    const reason = keySource === undefined ? "no key is configured" : `${keySource} is not set`;
    return { provider: name, usable: false, reason, models };
  }
  const reason = apiKey === undefined ? "is configured without a key" : `${keySource} is set`;
  return { provider: name, usable: true, reason, models };
}

export interface DefaultModelOptions extends ListOptions {
  /** The user's own choice. */
  readonly configured?: string | undefined;
}

export interface DefaultModel {
  readonly model: string;
  /** Why this one. */
  readonly reason: string;
}

/**
 * The user's choice is never replaced by another one: if it cannot be used, that is the answer.
 * @output the configured model, else a cloud provider's that has a key, else the first of a local server
 * @effects asks the servers on this computer, only when nothing else can be used
 */
export async function defaultModel(options: DefaultModelOptions): Promise<DefaultModel | ModelChoiceFailure> {
  const { configured } = options;
  if (configured !== undefined) {
    const found = findProvider(configured, options);
    if ("code" in found) return found;
    const { provider } = found;
    if (provider.needsKey && provider.apiKey === undefined) return missingKey(provider);
    return { model: configured, reason: "is the configured default" };
  }
  const names = providerNames(options.providers);
  for (const name of names) {
    const provider = resolveProvider(name, options);
    if (provider?.defaultModel === undefined || provider.apiKey === undefined) continue;
    return { model: `${name}/${provider.defaultModel}`, reason: `${provider.keySource} is set` };
  }
  for (const { provider, models, reason } of await listLocal(names, options)) {
    const model = models.find((id) => !/embed|rerank/i.test(id));
    if (model !== undefined) return { model: `${provider}/${model}`, reason: `${provider} ${reason}` };
  }
  return {
    code: "no_model",
    message: "No model can be used",
    hint: "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or start a local server (Ollama, llama.cpp, LM Studio).",
  };
}

async function listLocal(names: readonly string[], options: ListOptions): Promise<ProviderListing[]> {
  const local = names
    .map((name) => resolveProvider(name, options))
    .filter((provider) => provider?.local === true)
    .filter((provider) => provider !== undefined);
  return Promise.all(local.map((provider) => listingOf(provider, options)));
}
