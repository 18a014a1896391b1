// Where a journal lies in its directory, and how its file is opened: a regular file or a typed error.
import { join } from "node:path";
import { errorCode } from "@codelia/shared-types";
import { type Blobs, openBlobs } from "../blobs/index.ts";
import { type Disk, type DiskFile, quietly } from "../disk/index.ts";
import { explaining, StorageError } from "../error.ts";
import { firstBytes } from "./line.ts";

export interface JournalPlace {
  readonly directory: string;
  readonly path: string;
  readonly blobs: Blobs;
  readonly disk: Disk;
}

export function journalPlace(directory: string, disk: Disk): JournalPlace {
  return {
    directory,
    path: join(directory, "journal.jsonl"),
    blobs: openBlobs(join(directory, "blobs"), disk),
    disk,
  };
}

/** @error StorageError; `not_a_journal` for a link, a directory, a FIFO, … */
export async function openJournalFile(
  { path, disk }: JournalPlace,
  flags: number,
  refusal: "unreadable" | "write_failed",
): Promise<DiskFile> {
  return await explaining(refusal, path, async () => {
    let file: DiskFile;
    try {
      file = await disk.open(path, flags, 0o600);
    } catch (error) {
      // The answers to a link, to a directory, and to a FIFO or socket without another end.
      if (["ELOOP", "EISDIR", "ENXIO"].includes(errorCode(error) ?? "")) throw notAJournal(path, error);
      throw error;
    }
    try {
      if (!(await file.stat()).isFile()) throw notAJournal(path);
      return file;
    } catch (error) {
      await quietly(() => file.close());
      throw error;
    }
  });
}

/** Like openJournalFile, for reading; a journal that is not there is an empty one: undefined. */
export async function openForReading(place: JournalPlace, flags: number): Promise<DiskFile | undefined> {
  try {
    return await openJournalFile(place, flags, "unreadable");
  } catch (error) {
    const isAbsent = error instanceof StorageError && errorCode(error.cause) === "ENOENT";
    if (isAbsent) return undefined;
    throw error;
  }
}

/**
 * @input  head the first bytes of a file, as many as there are up to eight
 * @error  StorageError `not_a_journal`
 */
export function requireJournal(path: string, head: Buffer): void {
  // Zeros are what a power cut can leave of a file whose first record was not flushed.
  const isZeros = head.every((byte) => byte === 0);
  if (!isZeros && !firstBytes.subarray(0, head.length).equals(head)) throw notAJournal(path);
}

function notAJournal(path: string, cause?: unknown): StorageError {
  return new StorageError(
    "not_a_journal",
    path,
    "this is not a journal of Codelia",
    "It was left as it is. Move it away if it does not belong there.",
    { cause },
  );
}
