// Reading a journal without its lock: whole, or just its first or last records.
import { closing, type Disk, nodeDisk, quietly, readFlags, readFully } from "../disk/index.ts";
import { explaining } from "../error.ts";
import type { JournalDamage, JournalEntry } from "./entry.ts";
import { firstBytes, maxLineBytes } from "./line.ts";
import { type JournalPlace, journalPlace, openForReading, requireJournal } from "./place.ts";
import { readEntry, scan } from "./scan.ts";

export interface ReadOptions {
  readonly disk?: Disk;
}

/**
 * Yields the valid records in order, in bounded memory, and returns what is wrong with the rest, if anything. A journal
 * that is being written to may seem torn at its end. One that is not there is empty.
 *
 * @error StorageError `not_a_journal`, `unreadable`
 */
export async function* readJournal(
  directory: string,
  { disk = nodeDisk }: ReadOptions = {},
): AsyncGenerator<JournalEntry, JournalDamage | undefined, undefined> {
  const place = journalPlace(directory, disk);
  const file = await openForReading(place, readFlags);
  if (file === undefined) return undefined;
  try {
    const batches = scan(place, file);
    for (;;) {
      const { done, value } = await batches.next();
      if (done) return value.damage;
      for (const entry of value) yield entry;
    }
  } finally {
    await quietly(() => file.close());
  }
}

/** @output undefined when there is none, or none that is valid */
export async function readFirstEntry(
  directory: string,
  { disk = nodeDisk }: ReadOptions = {},
): Promise<JournalEntry | undefined> {
  return await withPart(journalPlace(directory, disk), "first", maxLineBytes, async (place, bytes) => {
    requireJournal(place.path, bytes.subarray(0, firstBytes.length));
    const end = bytes.indexOf("\n");
    const entry = end < 0 ? "torn" : await readEntry(place, bytes.subarray(0, end), 1);
    return typeof entry === "string" ? undefined : entry;
  });
}

/**
 * The records that lie whole in the last bytes of the file, in order, up to the first that is not valid. What is before
 * them is not looked at: `readJournal` may end earlier.
 */
export async function readLastEntries(
  directory: string,
  { disk = nodeDisk, maxBytes = 2 * maxLineBytes }: ReadOptions & { readonly maxBytes?: number } = {},
): Promise<JournalEntry[]> {
  const place = journalPlace(directory, disk);
  const entries = await withPart(place, "last", maxBytes, async (_, bytes, isWhole) => {
    if (isWhole) requireJournal(place.path, bytes.subarray(0, firstBytes.length));
    const found: JournalEntry[] = [];
    let start = isWhole ? 0 : bytes.indexOf("\n") + 1;
    for (let end = bytes.indexOf("\n", start); end >= 0; end = bytes.indexOf("\n", start)) {
      const last = found.at(-1);
      const expected = isWhole ? found.length + 1 : last && last.seq + 1;
      const entry = await readEntry(place, bytes.subarray(start, end), expected);
      if (typeof entry === "string") break;
      found.push(entry);
      start = end + 1;
    }
    return found;
  });
  return entries ?? [];
}

/**
 * The records that lie whole in the last bytes of the file, the newest first; those that are not valid are left out. A
 * body in a blob is read when its record is asked for.
 * @error StorageError `not_a_journal`, `unreadable`
 */
export async function* readBackwards(
  directory: string,
  { disk = nodeDisk, maxBytes = 4 * maxLineBytes }: { disk?: Disk; maxBytes?: number } = {},
): AsyncGenerator<JournalEntry, void, undefined> {
  const place = journalPlace(directory, disk);
  const part = await withPart(place, "last", maxBytes, async (_, bytes, isWhole) => ({ bytes, isWhole }));
  if (part === undefined) return;
  const { bytes, isWhole } = part;
  for (let end = bytes.lastIndexOf("\n"); end > 0; ) {
    const start = bytes.lastIndexOf("\n", end - 1) + 1;
    if (start === 0 && !isWhole) return;
    const entry = await readEntry(place, bytes.subarray(start, end), undefined);
    if (typeof entry === "object") yield entry;
    end = start - 1;
  }
}

async function withPart<T>(
  place: JournalPlace,
  part: "first" | "last",
  maxBytes: number,
  use: (place: JournalPlace, bytes: Buffer, isWhole: boolean) => Promise<T>,
): Promise<T | undefined> {
  const file = await openForReading(place, readFlags);
  if (file === undefined) return undefined;
  return await closing(file, () =>
    explaining("unreadable", place.path, async () => {
      const { size } = await file.stat();
      const buffer = Buffer.allocUnsafe(Math.min(size, maxBytes));
      const position = part === "first" ? 0 : size - buffer.length;
      const filled = await readFully(file, buffer, position);
      return await use(place, buffer.subarray(0, filled), buffer.length === size);
    }),
  );
}
