// Events that Anthropic's format did not have when its adapter was written. Their documentation says that some may be
// added at any time and are to be passed over; the adapter takes them for errors.
import type { ProviderKind } from "@codelia/shared-types";
import { z } from "zod";

const UnreadSchema = z.looseObject({
  name: z.literal("AI_TypeValidationError"),
  value: z.looseObject({
    type: z.string(),
    content_block: z.looseObject({ type: z.string() }).optional(),
    delta: z.looseObject({ type: z.string().optional() }).optional(),
  }),
});

const knownEvents = [
  "message_start",
  "message_delta",
  "message_stop",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "ping",
  "error",
];
const knownBlocks = ["text", "thinking", "redacted_thinking", "tool_use"];
const knownDeltas = [
  "text_delta",
  "input_json_delta",
  "thinking_delta",
  "signature_delta",
  "citations_delta",
];

/** @output whether the error is about an event of a kind that says nothing to us; one that is known and malformed is not */
export function isUnknownEvent(error: unknown, kind: ProviderKind): boolean {
  if (kind !== "anthropic") return false;
  const parsed = UnreadSchema.safeParse(error);
  if (!parsed.success) return false;
  const { type, content_block: block, delta } = parsed.data.value;
  if (!knownEvents.includes(type)) return true;
  if (type === "content_block_start") return block !== undefined && !knownBlocks.includes(block.type);
  return type === "content_block_delta" && delta?.type !== undefined && !knownDeltas.includes(delta.type);
}
