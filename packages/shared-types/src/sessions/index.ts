import type { z } from "zod";
import type {
  AgentsInForceSchema,
  CompactionTriggerSchema,
  FileChangeRecordSchema,
  PermissionDecisionSchema,
  SeenFileSchema,
  SessionRecordSchema,
} from "./schema.ts";

export * from "./schema.ts";

export type SessionRecord = z.infer<typeof SessionRecordSchema>;
export type SessionRecordOf<T extends SessionRecord["type"]> = Extract<SessionRecord, { type: T }>;
export type PermissionDecision = z.infer<typeof PermissionDecisionSchema>;
export type SeenFile = z.infer<typeof SeenFileSchema>;
export type FileChangeRecord = z.infer<typeof FileChangeRecordSchema>;
export type CompactionTrigger = z.infer<typeof CompactionTriggerSchema>;
export type AgentsInForce = z.infer<typeof AgentsInForceSchema>;

/** A record in its place. */
export interface SessionEntry {
  /** From 1, without gaps. */
  readonly seq: number;
  /** ISO time. */
  readonly at: string;
  readonly record: SessionRecord;
}

/** Takes the records of one session. What was appended survives the end of the process, what was flushed a power cut. */
export interface HistoryStore {
  append(record: SessionRecord): Promise<SessionEntry>;
  flush(): Promise<void>;
}
