// Goes through a journal's file from the start, in bounded memory, as far as it is valid.
import type { DiskFile } from "../disk/index.ts";
import { explaining, StorageError } from "../error.ts";
import { loadFastCrc32 } from "./crc32.ts";
import type { DamageReason, JournalDamage, JournalEntry } from "./entry.ts";
import { decodeLine, firstBytes, type Glance, glanceAtLine, type Line, maxLineBytes } from "./line.ts";
import { type JournalPlace, requireJournal } from "./place.ts";

/** Records in blobs are not larger than this. */
export const maxRecordBytes = 64 * 1024 * 1024;

export interface ScanEnd {
  readonly nextSeq: number;
  /** Length of the valid part. */
  readonly validBytes: number;
  readonly damage: JournalDamage | undefined;
}

/** Whether a record is not needed: it is checked all the same, but neither parsed nor handed out. */
export type LeaveOut = (glance: Omit<Glance, "isWhole">) => boolean;

const lineFeed = 0x0a;
/** From here on it pays to load a faster checksum. */
const longJournal = 4 * 1024 * 1024;
const bufferBytes = 4 * maxLineBytes;

/**
 * @output entries in batches, because a trip through a generator for each would take as long as to parse it
 * @error  StorageError `not_a_journal`, `unreadable`
 */
export async function* scan(
  place: JournalPlace,
  file: DiskFile,
  leaveOut?: LeaveOut,
): AsyncGenerator<readonly JournalEntry[], ScanEnd, undefined> {
  const { path } = place;
  const buffer = Buffer.allocUnsafe(bufferBytes);
  let seq = 1;
  /** Where record `seq` starts, in the file and in the buffer, and up to where the buffer is filled. */
  let offset = 0;
  let start = 0;
  let filled = 0;
  const endWith = async (reason: DamageReason): Promise<ScanEnd> => {
    const { size } = await explaining("unreadable", path, () => file.stat());
    const damage = { path, seq, offset, bytes: size - offset, reason, keptAt: undefined };
    return { nextSeq: seq, validBytes: offset, damage };
  };
  for (;;) {
    const { bytesRead } = await explaining("unreadable", path, () =>
      file.read(buffer, filled, buffer.length - filled, offset + filled),
    );
    filled += bytesRead;
    if (offset > longJournal) await loadFastCrc32();
    if (offset === 0) requireJournal(path, buffer.subarray(0, Math.min(filled, firstBytes.length)));
    const held = buffer.subarray(0, filled);
    let batch: JournalEntry[] = [];
    for (let end = held.indexOf(lineFeed); end >= 0; end = held.indexOf(lineFeed, start)) {
      const bytes = held.subarray(start, end);
      if (leaveOut === undefined || !isLeftOut(bytes, seq, leaveOut)) {
        const line = readLine(bytes, seq);
        const entry = isInBlob(line) ? await withBody(place, line) : line;
        if (typeof entry === "string") {
          yield batch;
          return await endWith(entry);
        }
        batch.push(entry);
        // One body at a time, or a batch of short lines could stand for any amount of memory.
        if (isInBlob(line)) {
          yield batch;
          batch = [];
        }
      }
      seq += 1;
      offset += end + 1 - start;
      start = end + 1;
    }
    yield batch;
    if (filled - start >= maxLineBytes) return await endWith("too_long");
    if (bytesRead === 0) {
      return start < filled ? await endWith("torn") : { nextSeq: seq, validBytes: offset, damage: undefined };
    }
    buffer.copyWithin(0, start, filled);
    filled -= start;
    start = 0;
  }
}

/** One that is not valid is not left out, so that it is told of. */
function isLeftOut(bytes: Buffer, seq: number, leaveOut: LeaveOut): boolean {
  const glance = glanceAtLine(bytes);
  return glance?.seq === seq && leaveOut(glance) && bytes.length < maxLineBytes && glance.isWhole();
}

/** @input bytes a line without its line feed; seq what its number must be, if that is known */
export async function readEntry(
  place: JournalPlace,
  bytes: Buffer,
  seq: number | undefined,
): Promise<JournalEntry | DamageReason> {
  const line = readLine(bytes, seq);
  return isInBlob(line) ? await withBody(place, line) : line;
}

/** @input bytes a line without its line feed; its record may be in a blob */
export function readLine(bytes: Buffer, seq: number | undefined): Line | DamageReason {
  if (bytes.length >= maxLineBytes) return "too_long";
  const line = decodeLine(bytes);
  return typeof line === "object" && seq !== undefined && line.seq !== seq ? "sequence" : line;
}

type BlobLine = Extract<Line, { blob: string }>;

function isInBlob(line: Line | DamageReason): line is BlobLine {
  return typeof line === "object" && "blob" in line;
}

/** The entry of a line whose record is in a blob. */
export async function withBody(
  { blobs }: JournalPlace,
  { seq, at, blob, bytes }: BlobLine,
): Promise<JournalEntry | DamageReason> {
  try {
    // Looked at first: a file that was swapped for a huge one must not be read.
    if (bytes > maxRecordBytes || (await blobs.size(blob)) !== bytes) return "damaged_blob";
    const record: unknown = JSON.parse(Buffer.from(await blobs.read(blob)).toString());
    return { seq, at, record };
  } catch (error) {
    if (error instanceof StorageError && error.code === "blob_missing") return "missing_blob";
    const isDamage =
      error instanceof SyntaxError ||
      (error instanceof StorageError && (error.code === "blob_damaged" || error.code === "invalid_blob_id"));
    if (isDamage) return "damaged_blob";
    throw error;
  }
}
