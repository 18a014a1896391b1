// What a user may write about providers.
import { expect, test } from "bun:test";
import { ProvidersConfigSchema } from "@codelia/shared-types";

test("the configuration of providers refuses what cannot work", () => {
  const wrong = [
    { mine: { baseUrl: "ftp://x" } },
    { mine: { baseUrl: "not an address" } },
    { mine: { apiKeyEnv: "A B" } },
    { mine: { apiKey: "" } },
    { mine: { headers: { "x y": "1" } } },
    { mine: { headers: { x: "a\r\nHost: b" } } },
    { mine: { kind: "smtp" } },
    { mine: { unknown: 1 } },
    { "a/b": {} },
  ];
  expect(wrong.map((config) => ProvidersConfigSchema.safeParse(config).success)).toEqual(
    wrong.map(() => false),
  );
  const right = { baseUrl: "https://x/v1", apiKey: "k", headers: { "X-A": "b" }, kind: "anthropic" } as const;
  expect(ProvidersConfigSchema.parse({ mine: right, "other.one-2": {} })).toEqual({
    mine: right,
    "other.one-2": {},
  });
});
