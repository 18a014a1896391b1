// What a session amounts to, without entering it.
import type { Disk } from "@codelia/storage";
import { SessionFold, type SessionState } from "./fold.ts";
import { readRecords, readStart, unknownRecord } from "./read-records.ts";
import { damageNotice } from "./session-files.ts";

export interface SessionLook {
  readonly state: SessionState;
  readonly prompts: number;
  readonly answers: number;
  /** What of it cannot be read. */
  readonly notices: readonly string[];
}

/**
 * @effects reads only; takes no lock
 * @error  SessionError when this version cannot go on with it; StorageError
 */
export async function lookInto(disk: Disk, directory: string, isRunning: boolean): Promise<SessionLook> {
  const start = await readStart(disk, directory);
  const fold = new SessionFold();
  const counts = { prompts: 0, answers: 0 };
  const reading = readRecords(disk, directory);
  let next = await reading.next();
  for (; !next.done; next = await reading.next()) {
    const { type } = next.value.record;
    fold.apply(next.value);
    if (type === "message.user") counts.prompts += 1;
    if (type === "message.assistant") counts.answers += 1;
  }
  const end = next.value;
  if (end.outcome === "unknown") throw unknownRecord(start, { seq: end.seq, record: { type: end.kind } });
  // What its writer is just writing is not damage.
  const isDamaged = end.outcome === "damaged" && !(isRunning && end.damage.reason === "torn");
  return {
    state: fold.state(start),
    ...counts,
    notices: isDamaged ? [damageNotice(end.damage)] : [],
  };
}
