// Where a provider may cut its prompt cache, and the key by which it finds it again.

import { createHash } from "node:crypto";
import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ProviderKind } from "@codelia/shared-types";

const mark: SharedV4ProviderOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };

// OpenAI refuses longer keys.
const longestKey = 64;

/**
 * Anthropic caches up to a mark, and finds an entry only where a mark of an earlier request was. So three places:
 * the end of the system messages, the end of the previous request (to read), the end of this one (to write).
 * @output the same prompt with marks, at most 3 of the 4 that are allowed
 */
export function withCacheMarks(prompt: LanguageModelV4Prompt, kind: ProviderKind): LanguageModelV4Prompt {
  if (kind !== "anthropic") return prompt;
  const lastSystem = prompt.findLastIndex(({ role }) => role === "system");
  const lastAnswer = prompt.findLastIndex(({ role }) => role === "assistant");
  const previousEnd = prompt.findLastIndex(({ role }, index) => index < lastAnswer && role !== "assistant");
  const marked = new Set([lastSystem, previousEnd, prompt.length - 1]);
  return prompt.map((message, index) => (marked.has(index) ? withMark(message) : message));
}

function withMark(message: LanguageModelV4Message): LanguageModelV4Message {
  return { ...message, providerOptions: mark };
}

/** @output options of the whole request */
export function requestOptions(kind: ProviderKind, cacheKey: string | undefined): SharedV4ProviderOptions {
  if (kind !== "openai") return {};
  // Nothing of the conversation stays with OpenAI: each request carries it whole, encrypted reasoning included.
  const stateless = { store: false };
  if (cacheKey === undefined) return { openai: stateless };
  const key = cacheKey.length > longestKey ? createHash("sha256").update(cacheKey).digest("hex") : cacheKey;
  return { openai: { ...stateless, promptCacheKey: key } };
}
