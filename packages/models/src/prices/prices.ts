// Looks up prices, and computes what a response cost.
import type { Price, PriceOverrides, Usage } from "@codelia/shared-types";
import data from "./prices.json" with { type: "json" };

// A dated or numbered edition of a listed model has its price: -20250929, @20250929, -2025-11-13, -001, -latest.
// Two digits are a model of its own (`gpt-5` and `gpt-5-50`), and so is any other word (`-pro`).
const edition = /^[-@:](?:latest|\d{3,}(?:-\d+)*)$/;

// Our own data: a test holds it against PriceTableSchema, so that a run need not.
const table: Readonly<Record<string, Readonly<Record<string, Price>>>> = data.models;

function models(provider: string): Readonly<Record<string, Price>> {
  return Object.hasOwn(table, provider) ? (table[provider] ?? {}) : {};
}

/** @output the ids of a provider that the table lists, newest first */
export function knownModels(provider: string): string[] {
  return Object.keys(models(provider));
}

/**
 * @input  `provider/model`
 * @output its price: the user's own over the table's, an exact id over the longest id that it is an edition of;
 *         undefined when neither knows both what input and what output costs
 */
export function priceOf(modelId: string, overrides: PriceOverrides = {}): Price | undefined {
  const slash = modelId.indexOf("/");
  const provider = modelId.slice(0, slash);
  const listed = longestMatch(models(provider), modelId.slice(slash + 1));
  const own = longestMatch(overrides, modelId);
  const price = { ...listed, ...own };
  const { input, output } = price;
  return input === undefined || output === undefined ? undefined : { ...price, input, output };
}

function longestMatch<T>(entries: Readonly<Record<string, T>>, id: string): T | undefined {
  const matching = Object.keys(entries).filter(
    (key) => key === id || (id.startsWith(key) && edition.test(id.slice(key.length))),
  );
  const best = matching.toSorted((a, b) => b.length - a.length)[0];
  return best === undefined ? undefined : entries[best];
}

/**
 * @input  usage whose input tokens include cached and written ones; `provider/model`
 * @output USD; undefined when the price is unknown, which is not the same as free
 */
export function costOf(usage: Usage, modelId: string, overrides?: PriceOverrides): number | undefined {
  const price = priceOf(modelId, overrides);
  if (price === undefined) return undefined;
  const rates = price.long !== undefined && usage.inputTokens > price.long.above ? price.long : price;
  const plain = Math.max(0, usage.inputTokens - usage.cachedInputTokens - usage.cacheWriteTokens);
  const millionths =
    plain * rates.input +
    usage.cachedInputTokens * (rates.cachedInput ?? rates.input) +
    usage.cacheWriteTokens * (rates.cacheWrite ?? rates.input) +
    usage.outputTokens * rates.output;
  return millionths / 1_000_000;
}

/** @output tokens that fit, where it is known */
export function contextWindowOf(modelId: string, overrides: PriceOverrides = {}): number | undefined {
  const slash = modelId.indexOf("/");
  const listed = longestMatch(models(modelId.slice(0, slash)), modelId.slice(slash + 1));
  return longestMatch(overrides, modelId)?.contextWindow ?? listed?.contextWindow;
}
