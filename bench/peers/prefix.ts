// How much of a request the next one keeps as its beginning: what a provider's prompt cache can reuse.
import { Buffer } from "node:buffer";

/** One line a part, so that a part can only match a part that is equal up to that byte. */
export function serialisePrompt(parts: readonly unknown[]): Buffer {
  return Buffer.from(parts.map((part) => `${JSON.stringify(part)}\n`).join(""));
}

/**
 * Of each prompt but the last, the share of bytes that the next one begins with.
 * @output one number between 0 and 1 for each pair of neighbours
 */
export function keptShares(prompts: readonly Buffer[]): number[] {
  return prompts.slice(1).map((next, index) => {
    const earlier = prompts[index] ?? Buffer.alloc(0);
    return earlier.length === 0 ? 1 : commonPrefix(earlier, next) / earlier.length;
  });
}

function commonPrefix(one: Buffer, other: Buffer): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) if (one[index] !== other[index]) return index;
  return length;
}
