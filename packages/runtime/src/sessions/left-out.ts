// What of a long session need not be read to go on with it: a compaction has left it out of the context for good.
import { join } from "node:path";
import { SessionRecordSchema } from "@codelia/shared-types";
import { type Disk, type JournalEntry, type LeaveOut, readBackwards } from "@codelia/storage";
import { kindOf } from "./read-records.ts";

export interface LeftOut {
  readonly leaveOut: LeaveOut;
  /** The compaction that all this rests on: without it, everything is needed. */
  readonly compaction: Pick<JournalEntry, "seq" | "at">;
}

/** A shorter journal is read in no time. */
const longJournal = 1024 * 1024;
/** As far as most windows reach; a window of a million tokens. */
const searchedBytes = [1024 * 1024, 8 * 1024 * 1024] as const;

/** Kinds that say nothing beyond the turn they belong to. Any that is not named here is read, also one not known yet. */
const unneeded =
  /^\{"type":"(?:request|request\.failed|tool\.intent|files\.change|compaction|compaction\.failed|limit)"/;
/** What the user answered may be for the whole session. */
const decision =
  /^\{"type":"permission","callId":"[^"\\]*","decision":\{"decision":"(?:allow|deny)","by":"(?:rule|mode|no_user)"/;
/** Of tools that only look or act: what others say, as of the todo list, may outlive a compaction. */
const output =
  /^\{"type":"message\.tool","message":\{"role":"tool","toolCallId":"[^"\\]*","toolName":"(?:read|list|glob|grep|bash|fetch_url|edit|write|apply_patch|tool_output_read|tool_output_search)"/;
const answer = /^\{"type":"message\.assistant"/;
/** Calls that a fold looks at long after: the todo list, and skills. */
const lastingCalls = ['"name":"todo"', '"name":"skill'];

/**
 * Looks for the last compaction, without the lock: one that comes later leaves out more, never less.
 * @output undefined: everything is needed
 * @error  StorageError
 */
export async function findLeftOut(disk: Disk, directory: string): Promise<LeftOut | undefined> {
  const stats = await disk.lstat(join(directory, "journal.jsonl")).catch(() => undefined);
  if (stats === undefined || stats.size < longJournal) return undefined;
  for (const maxBytes of searchedBytes) {
    for await (const { seq, at, record } of readBackwards(directory, { disk, maxBytes })) {
      if (kindOf(record) !== "compaction") continue;
      const parsed = SessionRecordSchema.safeParse(record);
      if (!parsed.success || parsed.data.type !== "compaction") return undefined;
      // A compaction in between may have shortened what was kept twice.
      const end = Math.min(parsed.data.keptFrom, seq);
      return { compaction: { seq, at }, leaveOut: (glance) => glance.seq < end && !isNeeded(glance) };
    }
  }
  return undefined;
}

function isNeeded({ start, mayHold }: Parameters<LeaveOut>[0]): boolean {
  if (answer.test(start)) return lastingCalls.some(mayHold);
  return ![unneeded, decision, output].some((kind) => kind.test(start));
}
