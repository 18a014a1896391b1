// What the caller of a method is told while it works.
import { type RunEvent, RunEventSchema } from "./run.ts";

export const ProtocolEventSchema = RunEventSchema;
export type ProtocolEvent = RunEvent;
