// What a journal holds, and what is told about a part of it that does not hold together.

export interface JournalEntry {
  /** Counts from 1, without gaps. */
  readonly seq: number;
  /** ISO time of the append. */
  readonly at: string;
  readonly record: unknown;
}

export type DamageReason =
  /** The file ends within the record, as after a crash while it was written. */
  | "torn"
  /** The bytes are not those that were written. */
  | "checksum"
  /** The bytes are sound, but no record of this format. */
  | "json"
  /** A record before it is missing, or it is there twice. */
  | "sequence"
  /** Longer than any record's line can be. */
  | "too_long"
  | "missing_blob"
  | "damaged_blob";

/** From here on the file is not valid. */
export interface JournalDamage {
  readonly path: string;
  /** Of the first record that is not valid. */
  readonly seq: number;
  /** Where it starts. */
  readonly offset: number;
  /** How many bytes follow from there. */
  readonly bytes: number;
  readonly reason: DamageReason;
  /** Where the bytes were put that were cut off; undefined while nothing was cut. */
  readonly keptAt: string | undefined;
}
