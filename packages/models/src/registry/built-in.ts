// The providers that need no configuration: their addresses, the variables people already have, a default model.
import type { ProviderKind } from "@codelia/shared-types";

export interface BuiltInProvider {
  readonly kind: ProviderKind;
  readonly baseUrl: string;
  /** The first that is set counts. */
  readonly keyVariables: readonly string[];
  readonly baseUrlVariable?: string;
  /** A good choice for coding at a middle price. */
  readonly defaultModel?: string;
  /** What tells whether a key is valid, where the list of models is open to everybody. */
  readonly keyCheckPath?: string;
  /** A server on this computer; it needs no key. */
  readonly local: boolean;
}

/** In the order in which a default is looked for. */
export const builtInProviders: Readonly<Record<string, BuiltInProvider>> = {
  anthropic: {
    kind: "anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    keyVariables: ["ANTHROPIC_API_KEY"],
    baseUrlVariable: "ANTHROPIC_BASE_URL",
    defaultModel: "claude-sonnet-5-5",
    local: false,
  },
  openai: {
    kind: "openai",
    baseUrl: "https://api.openai.com/v1",
    keyVariables: ["OPENAI_API_KEY"],
    baseUrlVariable: "OPENAI_BASE_URL",
    defaultModel: "gpt-6.1-sol",
    local: false,
  },
  google: {
    kind: "google",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
    baseUrlVariable: "GOOGLE_GEMINI_BASE_URL",
    defaultModel: "gemini-3.8-flash",
    local: false,
  },
  openrouter: {
    kind: "openai-compatible",
    baseUrl: "https://openrouter.ai/api/v1",
    keyVariables: ["OPENROUTER_API_KEY"],
    defaultModel: "anthropic/claude-sonnet-5.5",
    keyCheckPath: "/key",
    local: false,
  },
  ollama: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:11434/v1", keyVariables: [], local: true },
  llamacpp: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:8080/v1", keyVariables: [], local: true },
  lmstudio: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:1234/v1", keyVariables: [], local: true },
};
