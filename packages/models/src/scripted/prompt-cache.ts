// A prompt cache as providers have it: a prefix that was sent before is cheaper, in whole blocks, from a minimum on.
import { commonPrefixLength } from "./request-bytes.ts";

export interface CacheRules {
  /** Tokens in a block; only whole blocks are cached. */
  readonly blockTokens: number;
  /** Shorter prefixes are not cached at all. */
  readonly minimumTokens: number;
}

export const providerCacheRules: CacheRules = { blockTokens: 128, minimumTokens: 1024 };

export interface InputUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
}

/** An estimate that depends on nothing but the length: four bytes a token. */
export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / 4);
}

export class PromptCache {
  readonly #rules: CacheRules;
  // No entry is a prefix of another, so a conversation that only grows is held once.
  #sent: Uint8Array[] = [];

  constructor(rules: CacheRules) {
    this.#rules = rules;
  }

  /** Counts a request against all earlier ones, then remembers it. */
  count(request: Uint8Array): InputUsage {
    const shared = this.#sent.map((earlier) => commonPrefixLength(earlier, request));
    const longest = shared.reduce((most, length) => Math.max(most, length), 0);
    if (longest < request.length) {
      this.#sent = [...this.#sent.filter((earlier, index) => shared[index] !== earlier.length), request];
    }
    const inputTokens = estimateTokens(request.length);
    const cachedInputTokens = this.#cacheable(estimateTokens(longest));
    const cacheWriteTokens = this.#cacheable(inputTokens) - cachedInputTokens;
    return { inputTokens, cachedInputTokens, cacheWriteTokens };
  }

  #cacheable(tokens: number): number {
    const { blockTokens, minimumTokens } = this.#rules;
    return tokens < minimumTokens ? 0 : tokens - (tokens % blockTokens);
  }
}
