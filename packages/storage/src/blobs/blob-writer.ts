// Takes a blob's content in parts; its name is known when all of it is there.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { Draft } from "../disk/index.ts";
import { explaining } from "../error.ts";
import type { BlobDirectory } from "./blob-directory.ts";
import { idOf } from "./blob-id.ts";

/** After a failure of `write` or `finish` nothing of it is left, and every further call fails for the same reason. */
export interface BlobWriter {
  write(chunk: Uint8Array): Promise<void>;
  /** Flushes, and gives the blob its name. @output its id */
  finish(): Promise<string>;
  /** Instead of `finish`: nothing of it is left. */
  discard(): Promise<void>;
}

export const blobDraftKind = "blob";

export class BlobDraft implements BlobWriter {
  readonly #directory: BlobDirectory;
  readonly #draft: Draft;
  readonly #hash = createHash("sha256");
  #failure: { readonly error: unknown } | undefined;

  private constructor(directory: BlobDirectory, draft: Draft) {
    this.#directory = directory;
    this.#draft = draft;
  }

  static async create(directory: BlobDirectory): Promise<BlobDraft> {
    return await explaining("write_failed", directory.path, async () => {
      await directory.make();
      return new BlobDraft(directory, await Draft.create(directory.disk, directory.path, blobDraftKind));
    });
  }

  write(chunk: Uint8Array): Promise<void> {
    this.#hash.update(chunk);
    return this.#orDiscard(() => this.#draft.write(chunk));
  }

  async finish(): Promise<string> {
    const id = idOf(this.#hash);
    await this.#orDiscard(async () => {
      await this.#draft.sync();
      // Over a blob of the same name, if there is one: it has the same content, or is damaged.
      await this.#draft.renameTo(join(this.#directory.path, id));
    });
    await this.#directory.flush();
    return id;
  }

  discard(): Promise<void> {
    return this.#draft.discard();
  }

  #orDiscard<T>(action: () => Promise<T>): Promise<T> {
    return explaining("write_failed", this.#directory.path, async () => {
      if (this.#failure !== undefined) throw this.#failure.error;
      try {
        return await action();
      } catch (error) {
        this.#failure = { error };
        await this.#draft.discard();
        throw error;
      }
    });
  }
}
