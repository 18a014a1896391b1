// A directory of files that are named by their content: written once, never changed, verified when read.
import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { join } from "node:path";
import { errorCode } from "@codelia/shared-types";
import { closing, type Disk, isDraftName, nodeDisk, quietly, readFlags, readFully } from "../disk/index.ts";
import { StorageError, type StorageErrorCode, storageError } from "../error.ts";
import { BlobDirectory } from "./blob-directory.ts";
import { idOf, isBlobId } from "./blob-id.ts";
import { type BlobLine, readLines } from "./blob-lines.ts";
import { BlobDraft, type BlobWriter, blobDraftKind } from "./blob-writer.ts";

/** Bytes from `start` up to, not including, `end`; what lies beyond the blob is left out. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface Blobs {
  readonly directory: string;
  /** @error StorageError `invalid_blob_id` for what is no id, as `../x` */
  pathOf(id: string): string;
  /** Returns when the blob is on disk, flushed. @output its id */
  put(bytes: Uint8Array): Promise<string>;
  /** For content that comes in parts. It must be finished or discarded. */
  create(): Promise<BlobWriter>;
  has(id: string): Promise<boolean>;
  /** @error StorageError as of `read` */
  size(id: string): Promise<number>;
  /**
   * The whole blob, checked against its id, or a part of it, unchecked.
   * @error StorageError `blob_missing`, `blob_damaged`, `unreadable`
   */
  read(id: string, range?: ByteRange): Promise<Uint8Array>;
  /** Line by line in bounded memory, unchecked. @error StorageError as above */
  lines(id: string): AsyncGenerator<BlobLine, void, undefined>;
  /** Removes what writers left that died. The caller makes sure, by a lock, that none is at work. */
  removeDrafts(): Promise<void>;
}

/** @effects none; the directory (0700) is created with the first blob, blobs are 0600 */
export function openBlobs(directory: string, disk: Disk = nodeDisk): Blobs {
  return new DirectoryOfBlobs(directory, disk);
}

class DirectoryOfBlobs implements Blobs {
  readonly #directory: BlobDirectory;
  readonly #disk: Disk;

  constructor(directory: string, disk: Disk) {
    this.#directory = new BlobDirectory(disk, directory);
    this.#disk = disk;
  }

  get directory(): string {
    return this.#directory.path;
  }

  pathOf(id: string): string {
    if (isBlobId(id)) return join(this.directory, id);
    throw new StorageError(
      "invalid_blob_id",
      this.directory,
      `${JSON.stringify(id.slice(0, 80))} is not the id of a blob`,
      "An id has 32 digits from 0-9 and a-f.",
    );
  }

  async put(bytes: Uint8Array): Promise<string> {
    const id = idOf(createHash("sha256").update(bytes));
    if (await this.#isWhole(id, bytes.length)) {
      // Whoever wrote it may have died before its name was flushed.
      await this.#directory.flush();
      return id;
    }
    const writer = await this.create();
    await writer.write(bytes);
    return await writer.finish();
  }

  create(): Promise<BlobWriter> {
    return BlobDraft.create(this.#directory);
  }

  async has(id: string): Promise<boolean> {
    try {
      await this.size(id);
      return true;
    } catch (error) {
      if (isCode(error, "blob_missing") || isCode(error, "blob_damaged")) return false;
      throw error;
    }
  }

  size(id: string): Promise<number> {
    return this.#accessing(id, async (path) => this.#sizeOf(id, await this.#disk.lstat(path)));
  }

  read(id: string, range?: ByteRange): Promise<Uint8Array> {
    return this.#accessing(id, async (path) => {
      const file = await this.#disk.open(path, readFlags);
      return await closing(file, async () => {
        const size = this.#sizeOf(id, await file.stat());
        const start = Math.min(size, Math.max(0, range?.start ?? 0));
        const end = Math.max(start, Math.min(size, range?.end ?? size));
        const buffer = new Uint8Array(end - start);
        const bytes = buffer.subarray(0, await readFully(file, buffer, start));
        if (range === undefined && idOf(createHash("sha256").update(bytes)) !== id) throw this.#damaged(id);
        return bytes;
      });
    });
  }

  async *lines(id: string): AsyncGenerator<BlobLine, void, undefined> {
    const file = await this.#accessing(id, (path) => this.#disk.open(path, readFlags));
    try {
      await this.#accessing(id, async () => this.#sizeOf(id, await file.stat()));
      yield* readLines(file, this.pathOf(id));
    } finally {
      await quietly(() => file.close());
    }
  }

  async removeDrafts(): Promise<void> {
    await quietly(async () => {
      for (const { name } of await this.#disk.readdir(this.directory)) {
        if (!isDraftName(name, blobDraftKind)) continue;
        await quietly(() => this.#disk.unlink(join(this.directory, name)));
      }
    });
  }

  async #isWhole(id: string, size: number): Promise<boolean> {
    try {
      return (await this.size(id)) === size && (await this.read(id)).length === size;
    } catch (error) {
      if (isCode(error, "blob_missing") || isCode(error, "blob_damaged")) return false;
      throw error;
    }
  }

  /** What the system says about a blob's file, in words about the blob. */
  async #accessing<T>(id: string, action: (path: string) => Promise<T>): Promise<T> {
    const path = this.pathOf(id);
    try {
      return await action(path);
    } catch (error) {
      const code = errorCode(error);
      if (code === "ENOENT" || code === "ENOTDIR") throw this.#missing(id, error);
      // With the flags for reading a link is not followed.
      throw code === "ELOOP" ? this.#damaged(id) : storageError("unreadable", path, error);
    }
  }

  #sizeOf(id: string, stats: Stats): number {
    if (!stats.isFile()) throw this.#damaged(id);
    return stats.size;
  }

  #missing(id: string, cause: unknown): StorageError {
    const hint = "It was removed; what referred to it cannot be read any more.";
    return new StorageError("blob_missing", this.pathOf(id), "there is no such blob", hint, { cause });
  }

  #damaged(id: string): StorageError {
    const hint = "Restore the file from a backup; what refers to it cannot be read otherwise.";
    return new StorageError("blob_damaged", this.pathOf(id), "this blob is not what its name says", hint);
  }
}

function isCode(error: unknown, code: StorageErrorCode): boolean {
  return error instanceof StorageError && error.code === code;
}
