// A journal's life under several processes, each step of which a test may let go wrong.
import { appendFileSync, existsSync } from "node:fs";
import { openJournal, StorageError } from "@codelia/storage";
import type { ProcessWorld } from "./processes.ts";
import { readAll } from "./readings.ts";
import { now } from "./small-journal.ts";
import { Killed, WatchedDisk } from "./watched-disk.ts";

export const large = { body: "x".repeat(70_000) };

/** What all records of the whole life are, in order. */
export const allRecords = ["a", large, "c", "d", { ...large, second: true }, "e"];

export interface Life {
  readonly directory: string;
  readonly disk: WatchedDisk;
  readonly world: ProcessWorld;
  /** Records whose append came back. */
  readonly acknowledged: unknown[];
}

/** Process 1 dies with a torn record; process 2 takes over and closes; process 3 opens what was closed. */
export async function live({ directory, disk, world, acknowledged }: Life): Promise<void> {
  const append = async (journal: { append(record: unknown): Promise<number> }, record: unknown) => {
    await journal.append(record);
    acknowledged.push(record);
  };
  const [a, b, c, d, e, f] = allRecords;
  const first = await openJournal(directory, { disk, now, processes: world.as(1) });
  await append(first, a);
  await first.flush();
  await append(first, b);
  await append(first, c);
  world.end(1);
  if (existsSync(`${directory}/journal.jsonl`)) appendFileSync(`${directory}/journal.jsonl`, '{"crc":"0123');
  const second = await openJournal(directory, { disk, now, processes: world.as(2) });
  await append(second, d);
  await append(second, e);
  await second.flush();
  await second.close();
  const third = await openJournal(directory, { disk, now, processes: world.as(3) });
  await append(third, f);
  await third.close();
}

/** @output what ended the life: a StorageError's code, or that it was killed */
export async function outcomeOf(life: Life): Promise<string> {
  try {
    await live(life);
    return "done";
  } catch (error) {
    if (error instanceof Killed) return "killed";
    if (error instanceof StorageError) return error.code;
    throw error;
  }
}

/**
 * Another process comes after all others have died: opens, appends, closes.
 * @output the records before and after
 */
export async function afterlife({ directory, world }: Life) {
  for (const pid of [1, 2, 3]) world.end(pid);
  const before = await readAll(directory);
  const journal = await openJournal(directory, { disk: new WatchedDisk(), now, processes: world.as(4) });
  await journal.append("after");
  await journal.close();
  return { before: before.records, after: await readAll(directory) };
}
