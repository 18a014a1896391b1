// Anthropic Messages: the request's published format, and answers in its events.
import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages";
import { z } from "zod";
import { events } from "./server.ts";
import type { Answer, AnswerPart, Wire } from "./wire.ts";

const cache_control = z.strictObject({ type: z.literal("ephemeral") }).exactOptional();
const filled = z.string().min(1);
const Text = z.strictObject({ type: z.literal("text"), text: filled, cache_control });
const Image = z.strictObject({
  type: z.literal("image"),
  source: z.strictObject({
    type: z.literal("base64"),
    media_type: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]),
    data: z.base64(),
  }),
  cache_control,
});
const ToolResult = z.strictObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  content: z.string(),
  is_error: z.boolean().exactOptional(),
  cache_control,
});
const ToolUse = z.strictObject({
  type: z.literal("tool_use"),
  id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  input: z.record(z.string(), z.unknown()),
  cache_control,
});
const Thinking = z.strictObject({ type: z.literal("thinking"), thinking: z.string(), signature: filled });
const Redacted = z.strictObject({ type: z.literal("redacted_thinking"), data: filled });

export const AnthropicRequestSchema = z
  .strictObject({
    model: filled,
    max_tokens: z.number().int().positive(),
    system: z.array(Text).exactOptional(),
    messages: z
      .array(
        z.discriminatedUnion("role", [
          z.strictObject({
            role: z.literal("user"),
            content: z.array(z.union([Text, Image, ToolResult])).min(1),
          }),
          z.strictObject({
            role: z.literal("assistant"),
            content: z.array(z.union([Text, ToolUse, Thinking, Redacted])).min(1),
          }),
        ]),
      )
      .min(1),
    tools: z
      .array(
        z.strictObject({
          name: filled,
          description: z.string(),
          input_schema: z.looseObject({ type: z.literal("object") }),
          eager_input_streaming: z.boolean().exactOptional(),
        }),
      )
      .exactOptional(),
    tool_choice: z.strictObject({ type: z.literal("auto") }).exactOptional(),
    stream: z.literal(true),
  })
  .refine(
    (request) => JSON.stringify(request).split('"cache_control"').length <= 5,
    "at most four cache marks",
  );

/** Compiles only while everything that the schema accepts is a request for the official client. */
export const official = (request: z.infer<typeof AnthropicRequestSchema>): MessageCreateParamsStreaming =>
  request;

function block(part: AnswerPart, index: number): object[] {
  const start = (content_block: object) => ({ type: "content_block_start", index, content_block });
  const delta = (value: object) => ({ type: "content_block_delta", index, delta: value });
  const stop = { type: "content_block_stop", index };
  if (part.type === "text") {
    return [
      start({ type: "text", text: "" }),
      ...part.deltas.map((text) => delta({ type: "text_delta", text })),
      stop,
    ];
  }
  if (part.type === "reasoning") {
    return [
      start({ type: "thinking", thinking: "", signature: "" }),
      ...part.deltas.map((thinking) => delta({ type: "thinking_delta", thinking })),
      delta({ type: "signature_delta", signature: part.signature }),
      stop,
    ];
  }
  return [
    start({ type: "tool_use", id: part.id, name: part.name, input: {} }),
    delta({ type: "input_json_delta", partial_json: part.arguments }),
    stop,
  ];
}

const reasons = { stop: "end_turn", tool_calls: "tool_use", length: "max_tokens" };

function answerEvents({ parts, finish, usage }: Answer): object[] {
  return [
    {
      type: "message_start",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "claude-test",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: usage.inputTokens - usage.cachedInputTokens - usage.cacheWriteTokens,
          cache_read_input_tokens: usage.cachedInputTokens,
          cache_creation_input_tokens: usage.cacheWriteTokens,
          output_tokens: 1,
        },
      },
    },
    { type: "ping" },
    ...parts.flatMap(block),
    {
      type: "message_delta",
      delta: { stop_reason: reasons[finish], stop_sequence: null },
      usage: { output_tokens: usage.outputTokens },
    },
    { type: "message_stop" },
  ];
}

const troubles = {
  auth: [401, "authentication_error"],
  rate: [429, "rate_limit_error"],
  overloaded: [529, "overloaded_error"],
  overflow: [413, "request_too_large"],
  invalid: [400, "invalid_request_error"],
} as const;

export const anthropicWire: Wire = {
  kind: "anthropic",
  model: "claude-sonnet-4-5",
  basePath: "/v1",
  path: "/v1/messages",
  keyHeader: "x-api-key",
  schema: AnthropicRequestSchema,
  events: answerEvents,
  endEvents: 2,
  write: (values) => events(values, true),
  trouble: (trouble, message) => {
    const [status, type] = troubles[trouble];
    return { status, body: JSON.stringify({ type: "error", error: { type, message } }) };
  },
  data: (part) => (part.type === "reasoning" ? { anthropic: { signature: part.signature } } : undefined),
  callsAtEnd: false,
};
