// Remembers the state of each file when the model last saw it, so that nobody's change is overwritten unseen.
import { createHash } from "node:crypto";
import type { SeenFile } from "@codelia/shared-types";

export class ReadVersions {
  #hashes: Map<string, string>;
  #changed = new Map<string, string | undefined>();

  /** @input hashes: what a resumed session's model has seen */
  constructor(hashes: ReadonlyMap<string, string> = new Map()) {
    this.#hashes = new Map(hashes);
  }

  /** The model has seen this content, or has written it. `path` is absolute. */
  remember(path: string, content: Uint8Array): void {
    const seen = hash(content);
    this.#hashes.set(path, seen);
    this.#changed.set(path, seen);
  }

  forget(path: string): void {
    this.#hashes.delete(path);
    this.#changed.set(path, undefined);
  }

  /** `unread`: never seen; `changed`: not the content that was seen. */
  compare(path: string, content: Uint8Array): "same" | "changed" | "unread" {
    const known = this.#hashes.get(path);
    if (known === undefined) return "unread";
    return known === hash(content) ? "same" : "changed";
  }

  /** What was remembered and forgotten of these since this was last asked, to be kept with the session. */
  takeChanges(paths: readonly string[]): SeenFile[] {
    const changes: SeenFile[] = [];
    for (const path of paths) {
      const sha256 = this.#changed.get(path);
      if (this.#changed.delete(path)) changes.push({ path, ...(sha256 === undefined ? {} : { sha256 }) });
    }
    return changes;
  }

  /** The model's context was made anew: it has seen these files, and no others. */
  replace(hashes: ReadonlyMap<string, string>): void {
    this.#hashes = new Map(hashes);
  }
}

function hash(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
