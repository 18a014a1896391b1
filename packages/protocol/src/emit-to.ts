// The events of a method, out of all that a server tells.
import { isFlowEvent, type ProtocolEvent } from "./event.ts";
import type { CallChannel, Channel, EventOf, Method } from "./methods.ts";

/** The server's end of a call's channel. An event that the method does not tell is a defect of the server, and dropped. */
export function emitTo<M extends Method>(method: M, { emit }: CallChannel<M>): Channel["emit"] {
  return (event) => {
    if (isEventOf(method, event)) emit?.(event);
  };
}

function isEventOf<M extends Method>(method: M, event: ProtocolEvent): event is EventOf<M> & ProtocolEvent {
  return isFlowEvent(event) === (method === "flow.start" || method === "flow.resume");
}
