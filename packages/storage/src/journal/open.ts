// Opens a journal for writing: takes its lock, reads it through, cuts off what is not valid.
import { dirname } from "node:path";
import { appendFlags, type Disk, makeDirectory, nodeDisk, quietly } from "../disk/index.ts";
import { explaining } from "../error.ts";
import { acquireLock, type HeldLock, lockedError, nodeProcesses, type Processes } from "../locks/index.ts";
import { cutDamage } from "./cut.ts";
import type { JournalEntry } from "./entry.ts";
import { type Journal, JournalWriter } from "./journal.ts";
import { journalPlace, openJournalFile } from "./place.ts";
import { type LeaveOut, type ScanEnd, scan } from "./scan.ts";

export interface JournalOptions {
  readonly disk?: Disk;
  readonly processes?: Processes;
  readonly now?: () => Date;
  /** Gets every valid record, in order, before `openJournal` returns: the file is read once. */
  readonly replay?: (entry: JournalEntry) => void;
  /** Records that `replay` does not need. */
  readonly leaveOut?: LeaveOut;
}

/**
 * @effects creates the directory (0700) and the file (0600), takes the lock of the directory until `close`, cuts off a
 *          damaged tail after it was put aside
 * @error  StorageError: `locked` with its owner; `not_a_journal`, which leaves the file as it is; `unreadable`,
 *         `write_failed`. What `replay` throws. The lock is given back.
 */
export async function openJournal(
  directory: string,
  {
    disk = nodeDisk,
    processes = nodeProcesses,
    now = () => new Date(),
    replay = () => {},
    leaveOut,
  }: JournalOptions = {},
): Promise<Journal> {
  const place = journalPlace(directory, disk);
  const changedDirectories = await explaining("write_failed", directory, () =>
    makeDirectory(disk, directory),
  );
  const lock = await acquireLock(directory, { disk, processes, now });
  if (!lock.held) throw lockedError(directory, lock);
  return await orReleasing(lock, async () => {
    if (lock.takenOverFrom !== undefined) await place.blobs.removeDrafts();
    const file = await openJournalFile(place, appendFlags, "write_failed");
    try {
      const { nextSeq, validBytes, damage } = await replayAll(scan(place, file, leaveOut), replay);
      const cut = damage && (await cutDamage(place, file, damage, now()));
      return new JournalWriter({
        place,
        file,
        lock,
        nextSeq,
        bytes: validBytes,
        damage: cut,
        unflushedDirectories: [...new Set([...changedDirectories, dirname(directory), directory])],
        now,
      });
    } catch (error) {
      await quietly(() => file.close());
      throw error;
    }
  });
}

async function replayAll(
  batches: ReturnType<typeof scan>,
  replay: (entry: JournalEntry) => void,
): Promise<ScanEnd> {
  for (;;) {
    const { done, value } = await batches.next();
    if (done) return value;
    for (const entry of value) replay(entry);
  }
}

async function orReleasing<T>(lock: HeldLock, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    await quietly(() => lock.release());
    throw error;
  }
}
