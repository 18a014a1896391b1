// A part of a journal at a time, from its end to its start: whoever wants the last records does not read the first.
import { type Disk, type DiskFile, nodeDisk, readFlags, readFully } from "../disk/index.ts";
import { explaining } from "../error.ts";
import type { DamageReason, JournalDamage, JournalEntry } from "./entry.ts";
import { maxLineBytes } from "./line.ts";
import type { JournalPosition } from "./page.ts";
import { type JournalPlace, journalPlace, openForReading } from "./place.ts";
import { readLine, scan, withBody } from "./scan.ts";

export interface EarlierPage {
  /** In order. */
  readonly entries: readonly JournalEntry[];
  /** Where the page of earlier records ends; absent on the one with the first record. */
  readonly earlier: JournalPosition | undefined;
  /** Behind the last entry: what is appended later is read from here, with `readJournalPage`. */
  readonly end: JournalPosition;
  /** What is wrong behind the end. Of a journal that is being written to, the last record may seem torn. */
  readonly damage: JournalDamage | undefined;
}

export interface EarlierOptions {
  /** As an earlier page gave it; absent: the end of what is valid. */
  readonly before?: JournalPosition;
  readonly maxRecords?: number;
  /** The page ends with the record that reaches this; bodies in blobs count. */
  readonly maxBytes?: number;
  readonly disk?: Disk;
}

/**
 * Reads without the lock. A journal that is not there is empty. The records are those that reading from the start would
 * give: to know where the valid part ends, a page without `before` looks at every checksum, and parses what it gives.
 * @error StorageError `not_a_journal`, `unreadable`
 */
export async function readEarlierPage(
  directory: string,
  {
    before,
    maxRecords = Number.POSITIVE_INFINITY,
    maxBytes = 256 * 1024,
    disk = nodeDisk,
  }: EarlierOptions = {},
): Promise<EarlierPage> {
  const place = journalPlace(directory, disk);
  const file = await openForReading(place, readFlags);
  if (file === undefined) {
    const end = before ?? { seq: 1, offset: 0 };
    return { entries: [], earlier: undefined, end, damage: undefined };
  }
  try {
    return await explaining("unreadable", place.path, async () => {
      const valid = before === undefined ? await validPart(place, file) : { end: before, damage: undefined };
      return await pageBefore(place, file, valid, maxRecords, maxBytes);
    });
  } finally {
    await file.close();
  }
}

interface ValidPart {
  readonly end: JournalPosition;
  readonly damage: JournalDamage | undefined;
}

async function validPart(place: JournalPlace, file: DiskFile): Promise<ValidPart> {
  const scanning = scan(place, file, () => true);
  for (;;) {
    const { done, value } = await scanning.next();
    if (done) return { end: { seq: value.nextSeq, offset: value.validBytes }, damage: value.damage };
  }
}

const lineFeed = 0x0a;

async function pageBefore(
  place: JournalPlace,
  file: DiskFile,
  valid: ValidPart,
  maxRecords: number,
  maxBytes: number,
): Promise<EarlierPage> {
  const buffer = Buffer.allocUnsafe(4 * maxLineBytes);
  let { end, damage } = valid;
  /** Of the record before which everything was read. */
  let { seq, offset } = end;
  let newestFirst: JournalEntry[] = [];
  let bytes = 0;
  /** What comes behind a record that is not valid is not valid either. */
  const cutBefore = async (reason: DamageReason, at: JournalPosition) => {
    const { size } = await file.stat();
    damage = { path: place.path, ...at, bytes: Math.max(0, size - at.offset), reason, keptAt: undefined };
    end = at;
    newestFirst = [];
    bytes = 0;
  };
  const isFull = () => newestFirst.length >= maxRecords || bytes >= maxBytes;
  while (offset > 0 && !isFull()) {
    const from = Math.max(0, offset - buffer.length);
    const part = buffer.subarray(0, offset - from);
    const filled = await readFully(file, part, from);
    let stop = filled;
    while (stop > 0 && !isFull()) {
      const start = stop < 2 ? 0 : part.lastIndexOf(lineFeed, stop - 2) + 1;
      // Its start lies before what is held, unless it is the first.
      if (start === 0 && from > 0) break;
      const line = part[stop - 1] === lineFeed ? readLine(part.subarray(start, stop - 1), seq - 1) : "torn";
      const entry = typeof line === "object" && "blob" in line ? await withBody(place, line) : line;
      seq -= 1;
      if (typeof entry === "string") await cutBefore(entry, { seq, offset: from + start });
      else {
        newestFirst.push(entry);
        bytes += typeof line === "object" && "blob" in line ? line.bytes : stop - start;
      }
      stop = start;
    }
    // No line of ours is so long, and no position of ours lies behind the end: nothing can be found from here.
    const isLost = filled < part.length || (stop === filled && !isFull());
    if (isLost) {
      await cutBefore(filled < part.length ? "torn" : "too_long", { seq: Math.max(1, seq), offset: from });
      return { entries: [], earlier: undefined, end, damage };
    }
    offset = from + stop;
  }
  const earlier = offset > 0 ? { seq, offset } : undefined;
  return { entries: newestFirst.toReversed(), earlier, end, damage };
}
