// Tool calls that had no result when a session ended. They are closed in words, never run again.
import type { SessionRecordOf, ToolCallPart } from "@codelia/shared-types";

/** How far a call got before the session ended, as its records say. */
export type CallProgress = "not_started" | "looking" | "effect";

const words: Readonly<Record<CallProgress, string>> = {
  not_started: "The session ended before this call was started. Nothing was done.",
  looking: "The session ended before this call had ended. It only looks: call it again if you still need it.",
  effect:
    "The session ended while this call was under way. It may have been done in whole, in part or not at all, and it was " +
    "not repeated. Look at the actual state before you go on.",
};

/** The result that tells the model what is known of the call. */
export function interruptedResult(
  call: ToolCallPart,
  progress: CallProgress,
): SessionRecordOf<"message.tool"> {
  return {
    type: "message.tool",
    message: {
      role: "tool",
      toolCallId: call.id,
      toolName: call.name,
      output: `Interrupted. ${words[progress]}`,
      isError: true,
    },
    agents: [],
    seen: [],
    interrupted: true,
  };
}
