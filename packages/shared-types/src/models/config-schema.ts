// The `models` section of config.json. It belongs to the user alone: a repository must not redirect requests.
import { z } from "zod";

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const providerName = /^[a-z0-9][a-z0-9._-]*$/;

/** The wire format that a provider speaks. */
export const ProviderKindSchema = z.enum(["anthropic", "openai", "google", "openai-compatible"]);

export const ProviderConfigSchema = z.strictObject({
  kind: ProviderKindSchema.optional().describe(
    "The wire format; a provider that is built in has its own, any other is openai-compatible.",
  ),
  baseUrl: z
    .url({ protocol: /^https?$/, error: "expected an http or https address" })
    .optional()
    .describe("Where the provider is reached; for openai-compatible with its version, https://host/v1."),
  apiKeyEnv: z
    .string()
    .regex(variableName, { error: "expected the name of an environment variable" })
    .optional()
    .describe("The environment variable that holds the key."),
  apiKey: z.string().min(1).optional().describe("The key itself. Prefer apiKeyEnv."),
  headers: z
    .record(
      z.string().regex(headerName, { error: "expected the name of a header" }),
      z.string().regex(/^[^\r\n\0]*$/),
    )
    .optional()
    .describe("Sent with every request."),
});

export const ProvidersConfigSchema = z.record(
  z.string().regex(providerName, { error: "expected lower-case letters, digits, dots, dashes" }),
  ProviderConfigSchema,
);

const amount = z.number().nonnegative();

const rates = {
  input: amount,
  /** Input that the provider read from its cache. */
  cachedInput: amount.optional(),
  /** Input that it wrote to its cache. */
  cacheWrite: amount.optional(),
  output: amount,
};

/** USD for a million tokens, and how many tokens fit. */
export const PriceSchema = z.strictObject({
  ...rates,
  contextWindow: z.number().int().positive().optional(),
  /** Some providers charge a long prompt's whole request at other rates. */
  long: z.strictObject({ above: z.number().int().positive(), ...rates }).optional(),
});

/** `provider/model` → what differs from the table that Codelia brings. */
export const PriceOverridesSchema = z.record(z.string(), PriceSchema.partial());

export const ModelsSettingsSchema = z.strictObject({
  default: z.string().min(1).optional().describe("The model to use without -m, as provider/model."),
  maxAttempts: z
    .number()
    .int()
    .min(1)
    .max(20)
    .describe("How often a request is tried that failed in a way that may pass."),
  providers: ProvidersConfigSchema.describe("Providers by name: changes to built-in ones, and further ones."),
  prices: PriceOverridesSchema.describe("Prices by provider/model, in USD for a million tokens."),
});

export const ModelsConfigSchema = ModelsSettingsSchema.partial();
