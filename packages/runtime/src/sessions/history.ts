// A session's transcript, a page at a time.
import type { TranscriptEntry } from "@codelia/protocol";
import {
  type Disk,
  type JournalDamage,
  type JournalPosition,
  readEarlierPage,
  readJournalPage,
} from "@codelia/storage";
import { damageNotice } from "./session-files.ts";
import { isInUse } from "./summary.ts";
import { transcriptEntry } from "./transcript.ts";

export interface TranscriptPage {
  readonly entries: readonly TranscriptEntry[];
  /** Where the next page begins; absent on the last one. */
  readonly next: JournalPosition | undefined;
  /** In words, what of the rest cannot be read. */
  readonly damage: string | undefined;
}

export interface TranscriptPlace {
  readonly from?: JournalPosition | undefined;
  readonly limit?: number;
  /** Some process had it open before: what it is just writing is not damage. */
  readonly isRunning: boolean;
}

/** @effects reads only @error SessionError when it is no session of this format; StorageError */
export async function readTranscript(
  disk: Disk,
  directory: string,
  { from, limit, isRunning }: TranscriptPlace,
): Promise<TranscriptPage> {
  const page = await readJournalPage(directory, {
    disk,
    ...(from === undefined ? {} : { from }),
    ...(limit === undefined ? {} : { maxRecords: limit }),
  });
  const entries = page.entries.flatMap((entry) => transcriptEntry(entry, directory) ?? []);
  return { entries, next: page.next, damage: await damageIn(disk, directory, page.damage, isRunning) };
}

export interface EarlierTranscript extends Omit<TranscriptPage, "next"> {
  /** Where the page of earlier entries ends; absent on the first one of the session. */
  readonly earlier: JournalPosition | undefined;
  /** Behind this page: what is said later is read from here. */
  readonly end: JournalPosition;
}

/**
 * @input  before: as an earlier page gave it; absent: the session's end
 * @effects reads only @error SessionError when it is no session of this format; StorageError
 */
export async function readEarlierTranscript(
  disk: Disk,
  directory: string,
  { before, limit, isRunning }: Omit<TranscriptPlace, "from"> & { before: JournalPosition | undefined },
): Promise<EarlierTranscript> {
  const page = await readEarlierPage(directory, {
    disk,
    ...(before === undefined ? {} : { before }),
    ...(limit === undefined ? {} : { maxRecords: limit }),
  });
  return {
    entries: page.entries.flatMap((entry) => transcriptEntry(entry, directory) ?? []),
    earlier: page.earlier,
    end: page.end,
    damage: await damageIn(disk, directory, page.damage, isRunning),
  };
}

async function damageIn(
  disk: Disk,
  directory: string,
  damage: JournalDamage | undefined,
  isRunning: boolean,
): Promise<string | undefined> {
  if (damage === undefined) return undefined;
  const isBeingWritten = damage.reason === "torn" && (isRunning || (await isInUse(disk, directory)));
  return isBeingWritten ? undefined : damageNotice(damage);
}

/** A position as text that a face gives back. */
export function cursorOf({ seq, offset }: JournalPosition): string {
  return `${seq}.${offset}`;
}

/** One that leads to earlier pages; the other way takes none of these. */
export function earlierCursorOf(position: JournalPosition): string {
  return `-${cursorOf(position)}`;
}

/** @output undefined for what is no cursor of this way */
export function earlierPositionAt(cursor: string): JournalPosition | undefined {
  return cursor.startsWith("-") ? positionAt(cursor.slice(1)) : undefined;
}

/** @output undefined for what is no cursor */
export function positionAt(cursor: string): JournalPosition | undefined {
  const [, seq, offset] = /^([1-9]\d{0,14})\.(\d{1,15})$/.exec(cursor) ?? [];
  return seq === undefined || offset === undefined ? undefined : { seq: Number(seq), offset: Number(offset) };
}
