// The AI SDK's provider packages, each loaded when its first request is made and not before.

import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ProviderKind } from "@codelia/shared-types";
import type { Fetch } from "./guarded-fetch.ts";
import { madeUpPrefix } from "./tool-ids.ts";

export interface AdapterOptions {
  readonly kind: ProviderKind;
  readonly modelId: string;
  /** With the version: `https://api.anthropic.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly fetch: Fetch;
}

/** The header that carries the key, by kind. */
export const keyHeaders: Readonly<Record<ProviderKind, string>> = {
  anthropic: "x-api-key",
  openai: "authorization",
  google: "x-goog-api-key",
  "openai-compatible": "authorization",
};

/**
 * @effects loads the provider's package
 * @error  throws what loading or the package's own checks throw
 */
export async function loadAdapter(options: AdapterOptions): Promise<LanguageModelV4> {
  const { kind, modelId, baseUrl: baseURL } = options;
  // Without a value here, a package would look into the environment by itself.
  const apiKey = options.apiKey ?? "";
  // Bun's type of fetch has one more function, which the packages never call.
  const fetch = Object.assign(options.fetch, { preconnect: () => undefined });
  switch (kind) {
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ baseURL, apiKey, fetch })(modelId);
    }
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ baseURL, apiKey, fetch }).responses(modelId);
    }
    case "google": {
      const { createGoogle } = await import("@ai-sdk/google");
      let ids = 0;
      const generateId = () => {
        ids += 1;
        return `${madeUpPrefix}${ids}`;
      };
      return createGoogle({ baseURL, apiKey, fetch, generateId })(modelId);
    }
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({ name: "compatible", baseURL, apiKey, fetch, includeUsage: true })(
        modelId,
      );
    }
  }
}
