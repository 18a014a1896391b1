// The bytes of a small journal, and where its records start.
import { readFileSync } from "node:fs";
import { openJournal } from "@codelia/storage";
import { TemporaryTree } from "../../../../test/support/tree.ts";
import { WatchedDisk } from "./watched-disk.ts";

export interface SmallJournal {
  readonly bytes: Buffer;
  /** Of each record, and at last the length. */
  readonly starts: readonly number[];
}

export const at = "2026-11-16T12:00:00.000Z";
export const now = () => new Date(at);

export async function journalOf(...records: readonly unknown[]): Promise<SmallJournal> {
  using tree = new TemporaryTree({});
  const journal = await openJournal(tree.path, { now, disk: new WatchedDisk() });
  for (const record of records) await journal.append(record);
  await journal.close();
  const bytes = readFileSync(tree.at("journal.jsonl"));
  const starts = [0];
  for (let end = bytes.indexOf("\n"); end >= 0; end = bytes.indexOf("\n", end + 1)) starts.push(end + 1);
  return { bytes, starts };
}
