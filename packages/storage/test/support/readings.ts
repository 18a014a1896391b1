// A journal read to its end: the records, and what is wrong with the rest.
import { type Disk, type JournalDamage, nodeDisk, readJournal } from "@codelia/storage";

export interface Reading {
  readonly records: unknown[];
  readonly damage: JournalDamage | undefined;
}

export async function readAll(directory: string, disk: Disk = nodeDisk): Promise<Reading> {
  const entries = readJournal(directory, { disk });
  const records: unknown[] = [];
  for (;;) {
    const { done, value } = await entries.next();
    if (done) return { records, damage: value };
    records.push(value.record);
  }
}
