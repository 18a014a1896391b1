// The model's own list, as an editor shows a plan.
import type { PlanEntryStatus, SessionUpdate } from "@agentclientprotocol/sdk";
import type { TodoItemWire } from "@codelia/protocol";
import { titleOf } from "./tool-content.ts";

const statuses: Readonly<Record<TodoItemWire["state"], PlanEntryStatus>> = {
  open: "pending",
  doing: "in_progress",
  done: "completed",
};

/** The whole list each time: the editor's last one is replaced. */
export function planUpdate(items: readonly TodoItemWire[]): SessionUpdate {
  return {
    sessionUpdate: "plan",
    entries: items.map(({ text, state }) => ({
      content: titleOf(text),
      // The list has none, and the protocol wants one.
      priority: "medium",
      status: statuses[state],
    })),
  };
}
