// What a response costs: by the table, by a user's own prices, and not at all when nobody knows.
import { expect, test } from "bun:test";
import { builtInProviders, contextWindowOf, costOf, knownModels, priceOf } from "@codelia/models";
import data from "../src/prices/prices.json";
import { PriceTableSchema } from "../src/prices/schema.ts";

test("the shipped table has the shape that it promises", () => {
  expect(PriceTableSchema.parse(data)).toEqual(data);
});

const million = { inputTokens: 1_000_000, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

test("each kind of token has its own price", () => {
  const usage = {
    inputTokens: 1_000_000,
    cachedInputTokens: 500_000,
    cacheWriteTokens: 200_000,
    outputTokens: 100_000,
  };
  // 300k plain at 3, 500k cached at 0.3, 200k written at 3.75, 100k out at 15.
  expect(costOf(usage, "anthropic/claude-sonnet-4-5")).toBeCloseTo(0.9 + 0.15 + 0.75 + 1.5, 10);
});

test("an edition of a model has its price, and a model that is only named alike has none", () => {
  const listed = priceOf("anthropic/claude-sonnet-4-5");
  const editions = ["-20250929", "@20250929", "-latest", "-001", "-2025-09-29"];
  expect(editions.map((edition) => priceOf(`anthropic/claude-sonnet-4-5${edition}`))).toEqual(
    editions.map(() => listed),
  );
  const others = [
    "openai/gpt-5-pro",
    "openai/gpt-5-99",
    "anthropic/claude-sonnet-5-6",
    "openai/gpt-5x",
    "openai/gpt",
  ];
  expect(others.map((id) => priceOf(id))).toEqual(others.map(() => undefined));
});

test("the longest id wins", () => {
  expect(costOf(million, "openai/gpt-5-mini-2025-08-07")).toBe(0.25);
  expect(costOf(million, "openai/gpt-5-2025-08-07")).toBe(1.25);
  const overrides = { "mine/a": { input: 1, output: 1 }, "mine/a-2025": { input: 2, output: 2 } };
  expect(costOf(million, "mine/a-2025-001", overrides)).toBe(2);
});

test("a long prompt is charged at its own rates, as a whole", () => {
  const at = (inputTokens: number) => costOf({ ...million, inputTokens }, "google/gemini-2.5-pro");
  expect([at(200_000), at(200_001)]).toEqual([0.25, 0.5000025]);
});

test("an unknown price is not a price of nothing", () => {
  const unknown = [
    "ollama/qwen3",
    "nobody/x",
    "anthropic/",
    "claude-sonnet-4-5",
    "__proto__/x",
    "constructor/name",
    "",
  ];
  expect(unknown.map((id) => costOf(million, id))).toEqual(unknown.map(() => undefined));
});

test("a user's prices come before the table's and may name other models", () => {
  const overrides = {
    "anthropic/claude-sonnet-4-5": { input: 1 },
    "mine/qwen3": { input: 0.5, output: 2, contextWindow: 32_000 },
    "mine/half": { input: 1 },
  };
  expect([
    costOf(million, "anthropic/claude-sonnet-4-5-20250929", overrides),
    costOf({ ...million, outputTokens: 1_000_000 }, "anthropic/claude-sonnet-4-5", overrides),
    costOf(million, "mine/qwen3", overrides),
    costOf(million, "mine/half", overrides),
    contextWindowOf("mine/qwen3", overrides),
    contextWindowOf("anthropic/claude-sonnet-4-5", overrides),
    contextWindowOf("mine/unknown", overrides),
  ]).toEqual([1, 16, 0.5, undefined, 32_000, 200_000, undefined]);
});

test("every listed model has a price, and every default of a listed provider is listed", () => {
  const providers = Object.keys(builtInProviders).filter((name) => knownModels(name).length > 0);
  expect(providers).toEqual(["anthropic", "openai", "google"]);
  for (const provider of providers) {
    for (const model of knownModels(provider)) expect(priceOf(`${provider}/${model}`)).toBeDefined();
    expect(knownModels(provider)).toContain(builtInProviders[provider]?.defaultModel ?? "");
  }
});
