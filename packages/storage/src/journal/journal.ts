// A journal that is open for writing: records are appended in call order, each with one write, or not at all.
import type { Blobs } from "../blobs/index.ts";
import { type DiskFile, quietly, syncDirectory, writeAll } from "../disk/index.ts";
import { explaining, StorageError } from "../error.ts";
import type { HeldLock, LockOwner } from "../locks/index.ts";
import type { JournalDamage } from "./entry.ts";
import { encodeLine, maxLineBytes, startOf } from "./line.ts";
import type { JournalPlace } from "./place.ts";
import { maxRecordBytes } from "./scan.ts";

export interface Journal {
  readonly directory: string;
  /** Of the record that is written next. */
  readonly nextSeq: number;
  /** What was cut off when it was opened. */
  readonly damage: JournalDamage | undefined;
  /** The dead process that had it before, without having closed it. */
  readonly takenOverFrom: LockOwner | "unknown" | undefined;
  /** Large records go here; others may put what belongs to the journal there too. */
  readonly blobs: Blobs;
  /**
   * @output the record's number, once it was handed to the system; it survives this process then, not a power cut
   * @error  StorageError: `invalid_record` changes nothing; after any other failure the journal takes no more records
   */
  append(record: unknown): Promise<number>;
  /** Returns when everything that was appended before survives a power cut. @error StorageError, as of `append` */
  flush(): Promise<void>;
  /** Flushes, closes, gives the lock back; also after a failure. @error StorageError when the flush fails */
  close(): Promise<void>;
}

export interface OpenedJournal {
  readonly place: JournalPlace;
  readonly file: DiskFile;
  readonly lock: HeldLock;
  readonly nextSeq: number;
  /** Length of the file. */
  readonly bytes: number;
  readonly damage: JournalDamage | undefined;
  /** Directories that may have got a new name, by this process or by one that died since. */
  readonly unflushedDirectories: readonly string[];
  readonly now: () => Date;
}

export class JournalWriter implements Journal {
  readonly directory: string;
  readonly damage: JournalDamage | undefined;
  readonly takenOverFrom: LockOwner | "unknown" | undefined;
  readonly blobs: Blobs;
  readonly #place: JournalPlace;
  readonly #file: DiskFile;
  readonly #lock: HeldLock;
  readonly #now: () => Date;
  #nextSeq: number;
  /** Up to here the file consists of whole records. */
  #bytes: number;
  #unflushedDirectories: readonly string[];
  /** Not at first: who wrote it before may have died without a flush. */
  #isFlushed = false;
  /** Why it takes no more records. */
  #refusal: { readonly problem: string; readonly cause?: unknown } | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(opened: OpenedJournal) {
    this.#place = opened.place;
    this.#file = opened.file;
    this.#lock = opened.lock;
    this.#now = opened.now;
    this.#nextSeq = opened.nextSeq;
    this.#bytes = opened.bytes;
    this.#unflushedDirectories = opened.unflushedDirectories;
    this.directory = opened.place.directory;
    this.blobs = opened.place.blobs;
    this.damage = opened.damage;
    this.takenOverFrom = opened.lock.takenOverFrom;
  }

  get nextSeq(): number {
    return this.#nextSeq;
  }

  append(record: unknown): Promise<number> {
    // Made text now: what the caller changes later is not meant.
    const text = jsonText(record);
    const at = this.#now().toISOString();
    return this.#inTurn(() => {
      if (text === undefined || isTooLarge(text)) throw this.#invalid(text);
      return this.#changing(() => this.#write(text, at));
    });
  }

  flush(): Promise<void> {
    return this.#inTurn(() => this.#changing(() => this.#sync()));
  }

  close(): Promise<void> {
    this.#closing ??= this.#inTurn(async () => {
      try {
        if (this.#refusal === undefined) await this.#changing(() => this.#sync());
      } finally {
        this.#refusal ??= { problem: "the journal was closed" };
        await quietly(() => this.#file.close());
        await this.#lock.release();
      }
    });
    return this.#closing;
  }

  /** One after the other, in the order of the calls. */
  #inTurn<T>(action: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(action);
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** After a failure nobody knows what reached the disk; only a new reading of the file can tell. */
  async #changing<T>(action: () => Promise<T>): Promise<T> {
    if (this.#refusal !== undefined) throw this.#refused(this.#refusal);
    try {
      return await explaining("write_failed", this.#place.path, action);
    } catch (error) {
      this.#refusal = { problem: "a write failed before", cause: error };
      throw error;
    }
  }

  async #write(text: string, at: string): Promise<number> {
    const seq = this.#nextSeq;
    const line = await this.#lineFor(seq, at, text);
    this.#isFlushed = false;
    try {
      await writeAll(this.#file, line);
    } catch (error) {
      await quietly(() => this.#file.truncate(this.#bytes));
      throw error;
    }
    this.#bytes += line.length;
    this.#nextSeq = seq + 1;
    return seq;
  }

  async #lineFor(seq: number, at: string, text: string): Promise<Buffer> {
    // A character takes a byte or more, so that a text of this length need not be tried.
    if (text.length < maxLineBytes) {
      const line = encodeLine(seq, at, `"record":${text}`);
      if (line.length <= maxLineBytes) return line;
    }
    const bytes = Buffer.from(text);
    // On disk before the line that names it.
    const blob = await this.blobs.put(bytes);
    const start = JSON.stringify(startOf(text));
    return encodeLine(seq, at, `"blob":"${blob}","bytes":${bytes.length},"start":${start}`);
  }

  async #sync(): Promise<void> {
    if (this.#isFlushed) return;
    await this.#file.sync();
    for (const each of this.#unflushedDirectories) await syncDirectory(this.#place.disk, each);
    this.#unflushedDirectories = [];
    this.#isFlushed = true;
  }

  #invalid(text: string | undefined): StorageError {
    const problem = text === undefined ? "JSON cannot hold this record" : "this record is over 64 MiB";
    return new StorageError(
      "invalid_record",
      this.#place.path,
      problem,
      "Nothing was written; this is a defect.",
    );
  }

  #refused({ problem, cause }: { readonly problem: string; readonly cause?: unknown }): StorageError {
    return new StorageError(
      "journal_closed",
      this.#place.path,
      `takes no more records: ${problem}`,
      "What was written before is safe. Mend the cause and open it again.",
      { cause },
    );
  }
}

function jsonText(record: unknown): string | undefined {
  try {
    return JSON.stringify(record);
  } catch {
    // A cycle, a BigInt, or a toJSON that throws.
    return undefined;
  }
}

function isTooLarge(text: string): boolean {
  // No character takes more than three bytes, so that most texts need not be counted.
  return text.length > maxRecordBytes / 3 && Buffer.byteLength(text) > maxRecordBytes;
}
