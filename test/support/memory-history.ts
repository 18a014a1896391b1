// A history store in memory: keeps the records it was given, in order.
import type { HistoryStore, SessionEntry, SessionRecord } from "@codelia/shared-types";

export interface MemoryHistory extends HistoryStore {
  readonly entries: SessionEntry[];
  readonly records: SessionRecord[];
  /** How many records there were at each flush. */
  readonly flushedAt: number[];
}

export function memoryHistory(): MemoryHistory {
  const entries: SessionEntry[] = [];
  const flushedAt: number[] = [];
  return {
    entries,
    flushedAt,
    get records() {
      return entries.map(({ record }) => record);
    },
    async append(record) {
      const entry = {
        seq: entries.length + 1,
        at: "2026-01-01T00:00:00.000Z",
        record: structuredClone(record),
      };
      entries.push(entry);
      return { ...entry, record };
    },
    async flush() {
      flushedAt.push(entries.length);
    },
  };
}
