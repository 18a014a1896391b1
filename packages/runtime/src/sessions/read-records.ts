// A session's journal as records that this version understands.
import type { SessionEntry, SessionRecordOf } from "@codelia/shared-types";
import { SessionRecordSchema, sessionFormat, visibleName } from "@codelia/shared-types";
import {
  type Disk,
  type JournalDamage,
  type JournalEntry,
  readFirstEntry,
  readJournal,
} from "@codelia/storage";
import { z } from "zod";
import { SessionError } from "./error.ts";

export type StartRecord = SessionRecordOf<"session.start">;

/** Why reading ended before the journal did. */
export type ReadingEnd =
  | { readonly outcome: "whole" }
  | { readonly outcome: "damaged"; readonly damage: JournalDamage }
  /** Written by another version; what comes after it cannot be understood without it. */
  | { readonly outcome: "unknown"; readonly seq: number; readonly kind: string };

/**
 * Reads without the lock.
 * @output the entries in order; what this version cannot read ends them, and is the generator's result
 * @error  SessionError when it is no session, or one of a newer format; StorageError
 */
export async function* readRecords(disk: Disk, directory: string): AsyncGenerator<SessionEntry, ReadingEnd> {
  const reading = readJournal(directory, { disk });
  for (;;) {
    const { done, value } = await reading.next();
    if (done) return value === undefined ? { outcome: "whole" } : { outcome: "damaged", damage: value };
    const entry = parseEntry(value, directory);
    if (entry === undefined) return { outcome: "unknown", seq: value.seq, kind: kindOf(value.record) };
    yield entry;
  }
}

/** The first record alone. @error SessionError, StorageError */
export async function readStart(disk: Disk, directory: string): Promise<StartRecord> {
  return parseStart((await readFirstEntry(directory, { disk }))?.record, directory);
}

/**
 * @output undefined: a record of a kind that this version does not know
 * @error  SessionError for a first record that is no session's
 */
export function parseEntry({ seq, at, record }: JournalEntry, directory: string): SessionEntry | undefined {
  if (seq === 1) return { seq, at, record: parseStart(record, directory) };
  const parsed = SessionRecordSchema.safeParse(record);
  return parsed.success ? { seq, at, record: parsed.data } : undefined;
}

export function unknownRecord(
  { id, program }: StartRecord,
  { seq, record }: Pick<JournalEntry, "seq" | "record">,
): SessionError {
  return new SessionError(
    "unknown_record",
    `${id}: record ${seq} is of a kind that this version does not know (${visibleName(kindOf(record))})`,
    `Use the Codelia that wrote it (${program} or newer), or go on from before that record in a copy: codelia run --fork ${id}`,
  );
}

const AnyStartSchema = z.looseObject({
  type: z.literal("session.start"),
  format: z.number(),
  program: z.string().optional(),
});

/** What every version's first record says; undefined: it is no session's. */
export function looseStart(record: unknown): { format: number; program?: string | undefined } | undefined {
  const start = AnyStartSchema.safeParse(record);
  return start.success ? start.data : undefined;
}

function parseStart(record: unknown, directory: string): StartRecord {
  const parsed = SessionRecordSchema.safeParse(record);
  if (parsed.success && parsed.data.type === "session.start") return parsed.data;
  const start = looseStart(record);
  if (start !== undefined && start.format > sessionFormat) {
    const { program = "of an unknown version", format } = start;
    throw new SessionError(
      "newer_format",
      `${visibleName(directory)}: this session was written by a newer Codelia (${visibleName(program)}, format ${format}; this one reads format ${sessionFormat})`,
      "Use the newer version for it. Nothing in it was changed.",
    );
  }
  throw new SessionError(
    "unreadable",
    `${visibleName(directory)}: this is not a session that Codelia can read`,
    "Nothing in it was changed.",
  );
}

export function kindOf(record: unknown): string {
  const parsed = z.looseObject({ type: z.string() }).safeParse(record);
  return parsed.success ? parsed.data.type : "without a type";
}
