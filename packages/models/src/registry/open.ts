// Opens a model by its name, `provider/model`.
import { type ModelConnection, type PriceOverrides, visibleName } from "@codelia/shared-types";
import { contextWindowOf, knownModels } from "../prices/index.ts";
import { createConnection, type Fetch, type TransportLimits } from "../provider/index.ts";
import {
  isAddress,
  providerNames,
  type RegistryOptions,
  type ResolvedProvider,
  resolveProvider,
} from "./resolve.ts";

/** Why no model could be opened, and what to do. */
export interface ModelChoiceFailure {
  readonly code: "unknown_provider" | "missing_key" | "bad_model" | "bad_address" | "no_model";
  readonly message: string;
  readonly hint: string;
}

export interface OpenModelOptions extends RegistryOptions {
  /** `provider/model`; everything after the first slash is the model's id. */
  readonly model: string;
  readonly fetch: Fetch;
  readonly prices?: PriceOverrides;
  readonly limits?: Partial<TransportLimits>;
}

export function isModelChoiceFailure(value: object): value is ModelChoiceFailure {
  return "code" in value && "hint" in value;
}

/**
 * @output a connection that makes each request once (see `withRetry`), or why there is none
 * @effects none: no request is made and no provider's package is loaded before the first `stream`
 */
export async function openModel(options: OpenModelOptions): Promise<ModelConnection | ModelChoiceFailure> {
  const { model, fetch, prices, limits } = options;
  const found = findProvider(model, options);
  if ("code" in found) return found;
  const { provider, modelId } = found;
  const { name, baseUrl, kind, apiKey, keySource, headers } = provider;
  if (provider.needsKey && apiKey === undefined) return missingKey(provider);
  if (baseUrl === undefined || !isAddress(baseUrl)) {
    return {
      code: "bad_address",
      message: `${name} has no usable address${baseUrl === undefined ? "" : `: ${visibleName(baseUrl)}`}`,
      hint: `Set models.providers.${name}.baseUrl to an address such as "http://127.0.0.1:8000/v1".`,
    };
  }
  return createConnection({
    provider: name,
    kind,
    modelId,
    baseUrl,
    apiKey,
    keySource,
    headers,
    contextWindow: contextWindowOf(model, prices),
    fetch,
    ...(limits === undefined ? {} : { limits }),
  });
}

interface FoundModel {
  readonly provider: ResolvedProvider;
  readonly modelId: string;
}

export function findProvider(model: string, options: RegistryOptions): FoundModel | ModelChoiceFailure {
  const slash = model.indexOf("/");
  const name = slash < 0 ? "" : model.slice(0, slash);
  const modelId = model.slice(slash + 1);
  const names = providerNames(options.providers);
  if (name === "" || modelId.trim() === "" || /[\s\p{Cc}]/u.test(modelId)) {
    const owner = slash < 0 ? names.find((candidate) => knownModels(candidate).includes(model)) : undefined;
    return {
      code: "bad_model",
      message: `${visibleName(model)} is no model's name`,
      hint: `Write provider/model, for example ${owner ?? "anthropic"}/${owner ? model : "claude-sonnet-5-5"}.`,
    };
  }
  const provider = resolveProvider(name, options);
  if (provider) return { provider, modelId };
  return {
    code: "unknown_provider",
    message: `There is no provider ${visibleName(name)}`,
    hint: `Use one of ${names.join(", ")}, or configure it under models.providers.${visibleName(name)}.`,
  };
}

export function missingKey({ name, keySource }: ResolvedProvider): ModelChoiceFailure {
  const variable =
    keySource === undefined || keySource.startsWith("models.providers.") ? undefined : keySource;
  return {
    code: "missing_key",
    message: `There is no key for ${name}`,
    hint:
      variable === undefined
        ? `Name the variable that holds it in models.providers.${name}.apiKeyEnv.`
        : `Set ${variable}, or name another variable in models.providers.${name}.apiKeyEnv.`,
  };
}
