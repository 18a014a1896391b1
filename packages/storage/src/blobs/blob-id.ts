// A blob's name: what its content hashes to.
import type { Hash } from "node:crypto";

/** The first 128 bits of SHA-256: no two contents of this world share them by chance. */
export function idOf(hash: Hash): string {
  return hash.digest("hex").slice(0, 32);
}

export function isBlobId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}
