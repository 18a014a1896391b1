// A session, open for a run: its journal with the lock on it, and its blobs.
import { join } from "node:path";
import { SessionLog } from "@codelia/core";
import type { HistoryStore, SessionEntry } from "@codelia/shared-types";
import { visibleName } from "@codelia/shared-types";
import {
  type Blobs,
  type Disk,
  type Journal,
  type JournalDamage,
  type JournalEntry,
  openJournal,
  readJournal,
} from "@codelia/storage";
import { SessionError } from "./error.ts";
import { SessionFold, type SessionState } from "./fold.ts";
import { findLeftOut } from "./left-out.ts";
import { parseEntry, type StartRecord, unknownRecord } from "./read-records.ts";

export interface OpenSession {
  readonly id: string;
  readonly directory: string;
  readonly log: SessionLog;
  /** Whole outputs, and contents of files before they were changed. */
  readonly blobs: Blobs;
  /** What the user should know about how it was opened. */
  readonly notices: readonly string[];
  /** @error StorageError when the last records could not be flushed */
  close(): Promise<void>;
}

export interface ResumedSession extends OpenSession {
  readonly state: SessionState;
}

/** What sessions need of their surroundings. */
export interface SessionPorts {
  readonly disk: Disk;
  readonly now: () => Date;
}

/**
 * @effects creates the session's folder, takes its lock, writes the first record
 * @error  StorageError
 */
export async function createSession(
  { disk, now }: SessionPorts,
  folder: string,
  start: StartRecord,
): Promise<OpenSession> {
  const journal = await openJournal(join(folder, start.id), { disk, now });
  const log = new SessionLog(historyOf(journal, now));
  return orClosing(journal, async () => {
    await log.append(start);
    return opened(journal, start.id, log);
  });
}

/**
 * @input  observe: is given every record, in order; without it, those are not read that no longer matter
 * @effects takes the lock; a damaged end of the journal is set aside
 * @error  SessionError for a session that this version cannot go on with: nothing in it is changed then; StorageError
 */
export async function openSession(
  { disk, now }: SessionPorts,
  directory: string,
  observe?: (entry: SessionEntry) => void,
): Promise<ResumedSession> {
  const leftOut = observe === undefined ? await findLeftOut(disk, directory) : undefined;
  let fold = new SessionFold();
  let isThere = false;
  const replay = (entry: JournalEntry) => {
    const parsed = parseEntry(entry, directory);
    if (parsed === undefined) throw unknownRecord(startOf(fold, directory), entry);
    fold.apply(parsed);
    observe?.(parsed);
    isThere ||= entry.seq === leftOut?.compaction.seq && entry.at === leftOut.compaction.at;
  };
  const journal = await openJournal(directory, {
    disk,
    now,
    replay,
    ...(leftOut === undefined ? {} : { leaveOut: leftOut.leaveOut }),
  });
  return orClosing(journal, async () => {
    if (leftOut !== undefined && !isThere) {
      // The compaction was lost with what followed some damage, so that what it left out counts again.
      fold = new SessionFold();
      for await (const entry of readJournal(directory, { disk })) replay(entry);
    }
    const start = startOf(fold, directory);
    const log = new SessionLog(historyOf(journal, now), fold.conversation);
    return { ...opened(journal, start.id, log), state: fold.state(start) };
  });
}

/** @error SessionError when not even the first record is there */
function startOf(fold: SessionFold, directory: string): StartRecord {
  if (fold.start !== undefined) return fold.start;
  throw new SessionError(
    "unreadable",
    `${visibleName(directory)}: nothing of this session can be read`,
    "Start a new one.",
  );
}

export function damageNotice({ seq, bytes, reason, keptAt }: JournalDamage): string {
  const kept = keptAt === undefined ? "" : ` They were set aside in ${visibleName(keptAt)}.`;
  return `The session's journal is damaged from record ${seq} on (${reason}): ${bytes} bytes could not be used, everything before them is there.${kept}`;
}

function opened(journal: Journal, id: string, log: SessionLog): OpenSession {
  const { directory, blobs, damage } = journal;
  const notices = damage === undefined ? [] : [damageNotice(damage)];
  return { id, directory, log, blobs, notices, close: () => journal.close() };
}

async function orClosing<T>(journal: Journal, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    // The first failure is the one to tell.
    await journal.close().catch(() => undefined);
    throw error;
  }
}

function historyOf(journal: Journal, now: () => Date): HistoryStore {
  return {
    async append(record) {
      const at = now().toISOString();
      return { seq: await journal.append(record), at, record };
    },
    flush: () => journal.flush(),
  };
}
