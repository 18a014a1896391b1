// A part of a journal at a time: whoever goes through a long one keeps no more than a place in it.
import { type Disk, type DiskFile, nodeDisk, readFlags, readFully } from "../disk/index.ts";
import { explaining } from "../error.ts";
import type { DamageReason, JournalDamage, JournalEntry } from "./entry.ts";
import { firstBytes, maxLineBytes } from "./line.ts";
import { type JournalPlace, journalPlace, openForReading, requireJournal } from "./place.ts";
import { readLine, withBody } from "./scan.ts";

/** A place between two records; records before it never move. */
export interface JournalPosition {
  /** Of the record that follows. */
  readonly seq: number;
  readonly offset: number;
}

export interface JournalPage {
  readonly entries: readonly JournalEntry[];
  /** Where the next page begins; absent on the last one. */
  readonly next: JournalPosition | undefined;
  /** Behind the last entry: what is appended later is read from here. */
  readonly end: JournalPosition;
  /** What is wrong with the rest. Of a journal that is being written to, the last record may seem torn. */
  readonly damage: JournalDamage | undefined;
}

export interface PageOptions {
  readonly from?: JournalPosition;
  readonly maxRecords?: number;
  /** The page ends with the record that reaches this; bodies in blobs count. */
  readonly maxBytes?: number;
  readonly disk?: Disk;
}

const lineFeed = 0x0a;

/** Reads without the lock. A journal that is not there is empty. @error StorageError `not_a_journal`, `unreadable` */
export async function readJournalPage(
  directory: string,
  {
    from = { seq: 1, offset: 0 },
    maxRecords = Number.POSITIVE_INFINITY,
    maxBytes = 256 * 1024,
    disk = nodeDisk,
  }: PageOptions = {},
): Promise<JournalPage> {
  const place = journalPlace(directory, disk);
  const file = await openForReading(place, readFlags);
  if (file === undefined) return { entries: [], next: undefined, end: from, damage: undefined };
  try {
    return await explaining("unreadable", place.path, () =>
      pageFrom(place, file, from, maxRecords, maxBytes),
    );
  } finally {
    await file.close();
  }
}

async function pageFrom(
  place: JournalPlace,
  file: DiskFile,
  from: JournalPosition,
  maxRecords: number,
  maxBytes: number,
): Promise<JournalPage> {
  const { path } = place;
  const buffer = Buffer.allocUnsafe(4 * maxLineBytes);
  const entries: JournalEntry[] = [];
  let { seq, offset } = from;
  let bytes = 0;
  const endWith = async (reason: DamageReason, at: number): Promise<JournalPage> => {
    const { size } = await file.stat();
    const damage = { path, seq, offset: at, bytes: size - at, reason, keptAt: undefined };
    return { entries, next: undefined, end: { seq, offset: at }, damage };
  };
  for (;;) {
    const held = buffer.subarray(0, await readFully(file, buffer, offset));
    if (offset === 0) requireJournal(path, held.subarray(0, firstBytes.length));
    let start = 0;
    for (let end = held.indexOf(lineFeed); end >= 0; end = held.indexOf(lineFeed, start)) {
      if (entries.length >= maxRecords || bytes >= maxBytes) {
        const next = { seq, offset: offset + start };
        return { entries, next, end: next, damage: undefined };
      }
      const line = readLine(held.subarray(start, end), seq);
      if (typeof line === "string") return await endWith(line, offset + start);
      const entry = "blob" in line ? await withBody(place, line) : line;
      if (typeof entry === "string") return await endWith(entry, offset + start);
      bytes += "blob" in line ? line.bytes : end - start;
      entries.push(entry);
      seq += 1;
      start = end + 1;
    }
    offset += start;
    if (held.length === start && held.length < buffer.length)
      return { entries, next: undefined, end: { seq, offset }, damage: undefined };
    if (start === 0) return await endWith(held.length < maxLineBytes ? "torn" : "too_long", offset);
  }
}
