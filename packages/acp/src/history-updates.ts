// A session's history as updates, for an editor that opens it again.
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { TranscriptEntry } from "@codelia/protocol";
import { pipedText } from "@codelia/shared-types";
import type { CallIds } from "./call-ids.ts";
import { kindOf, outputContent, titleOf } from "./tool-content.ts";

/** @output what the editor would have been told when it happened */
export function historyUpdates(entry: TranscriptEntry, ids: CallIds): SessionUpdate[] {
  switch (entry.type) {
    case "prompt":
      if (!entry.steering) ids.begin();
      return [chunk("user_message_chunk", entry.seq, entry.text)];
    case "answer":
      return [
        ...(entry.reasoning === "" ? [] : [chunk("agent_thought_chunk", entry.seq, entry.reasoning)]),
        ...(entry.text === "" ? [] : [chunk("agent_message_chunk", entry.seq, entry.text)]),
        ...entry.calls.map(
          ({ call_id, tool }): SessionUpdate => ({
            sessionUpdate: "tool_call",
            toolCallId: ids.of(call_id),
            title: titleOf(tool),
            kind: kindOf(tool),
            // Until its result is seen: a call of a session that was killed has none.
            status: "failed",
          }),
        ),
      ];
    case "call":
      return [
        { sessionUpdate: "tool_call_update", toolCallId: ids.of(entry.call_id), title: titleOf(entry.title) },
      ];
    case "tool":
      return [
        {
          sessionUpdate: "tool_call_update",
          toolCallId: ids.of(entry.call_id),
          status: entry.is_error ? "failed" : "completed",
          content: outputContent(entry.output),
        },
      ];
    case "permission":
    case "note":
      return [];
  }
}

function chunk(
  sessionUpdate: "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk",
  seq: number,
  text: string,
): SessionUpdate {
  return {
    sessionUpdate,
    content: { type: "text", text: pipedText(text) },
    messageId: `${seq}-${sessionUpdate}`,
  };
}
