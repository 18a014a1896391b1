// Remembers the state of each file when the model last saw it, so that nobody's change is overwritten unseen.
import { createHash } from "node:crypto";

export class ReadVersions {
  readonly #hashes = new Map<string, string>();

  /** The model has seen this content, or has written it. `path` is absolute. */
  remember(path: string, content: Uint8Array): void {
    this.#hashes.set(path, hash(content));
  }

  forget(path: string): void {
    this.#hashes.delete(path);
  }

  /** `unread`: never seen; `changed`: not the content that was seen. */
  compare(path: string, content: Uint8Array): "same" | "changed" | "unread" {
    const known = this.#hashes.get(path);
    if (known === undefined) return "unread";
    return known === hash(content) ? "same" : "changed";
  }
}

function hash(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
