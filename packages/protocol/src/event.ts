// What the caller of a method is told while it works. Without its schema, which few need.
import type { FlowEvent } from "./flows.ts";
import type { RunEvent } from "./run.ts";

export type ProtocolEvent = RunEvent | FlowEvent;

export function isFlowEvent(event: ProtocolEvent): event is FlowEvent {
  return event.type.startsWith("flow.");
}
