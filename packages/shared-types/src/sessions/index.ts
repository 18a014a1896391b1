import type { z } from "zod";
import type { PermissionDecisionSchema, SessionRecordSchema } from "./schema.ts";

export * from "./schema.ts";

export type SessionRecord = z.infer<typeof SessionRecordSchema>;
export type PermissionDecision = z.infer<typeof PermissionDecisionSchema>;

/** Takes the records of one session. The engine waits for each: what was appended is not lost. */
export interface HistoryStore {
  append(record: SessionRecord): Promise<void>;
}
