// What the caller of a method is told while it works.
import { z } from "zod";
import { type FlowEvent, FlowEventSchema } from "./flows.ts";
import { type RunEvent, RunEventSchema } from "./run.ts";

export const ProtocolEventSchema = z.union([RunEventSchema, FlowEventSchema]);
export type ProtocolEvent = RunEvent | FlowEvent;

export function isFlowEvent(event: ProtocolEvent): event is FlowEvent {
  return event.type.startsWith("flow.");
}
