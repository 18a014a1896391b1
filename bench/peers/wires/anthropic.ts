// Anthropic Messages: typed events, tool calls as content blocks whose arguments arrive as JSON text.
import { field, list, text } from "../json.ts";
import { type Answer, event, type Wire } from "./wire.ts";

function contentBlock(answer: Answer): Record<string, unknown> {
  return answer.kind === "text"
    ? { type: "text", text: answer.text }
    : { type: "tool_use", id: answer.id, name: answer.name, input: answer.arguments };
}

function message(answer: Answer, content: readonly unknown[], stop: boolean, inputTokens: number): unknown {
  return {
    // Claude Code joins messages of the same id.
    id: `msg_${answer.id}`,
    type: "message",
    role: "assistant",
    model: "fake-model",
    content,
    stop_reason: stop ? stopReason(answer) : null,
    stop_sequence: null,
    usage: {
      input_tokens: inputTokens,
      output_tokens: 1,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  };
}

function stopReason(answer: Answer): string {
  return answer.kind === "text" ? "end_turn" : "tool_use";
}

/** A text given as a string and as a single block is the same text to the model. */
function blocks(content: unknown): readonly unknown[] {
  const plain = text(content);
  return plain === undefined ? list(content) : [{ type: "text", text: plain }];
}

function withoutCacheMark(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCacheMark);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "cache_control")
      .map(([key, inner]: [string, unknown]) => [key, withoutCacheMark(inner)]),
  );
}

export const anthropic: Wire = {
  name: "Anthropic Messages",
  accepts: (path) => path.endsWith("/messages"),
  streams: (_path, body) => field(body, "stream") === true,

  tools: (body) =>
    list(field(body, "tools")).map((tool) => ({
      name: text(field(tool, "name")) ?? "",
      parameters: field(tool, "input_schema"),
    })),

  toolResults: (body) =>
    list(field(body, "messages"))
      .flatMap((entry) => blocks(field(entry, "content")))
      .filter((block) => field(block, "type") === "tool_result").length,

  promptParts: (body) => [
    ...list(field(body, "tools")).map(withoutCacheMark),
    ...blocks(field(body, "system")).map(withoutCacheMark),
    ...list(field(body, "messages")).flatMap((entry) => [
      field(entry, "role"),
      ...blocks(field(entry, "content")).map(withoutCacheMark),
    ]),
  ],

  stream(answer, inputTokens) {
    const start =
      answer.kind === "text" ? { type: "text", text: "" } : { ...contentBlock(answer), input: {} };
    const delta =
      answer.kind === "text"
        ? { type: "text_delta", text: answer.text }
        : { type: "input_json_delta", partial_json: JSON.stringify(answer.arguments) };
    const events = [
      { type: "message_start", message: message(answer, [], false, inputTokens) },
      { type: "content_block_start", index: 0, content_block: start },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { stop_reason: stopReason(answer), stop_sequence: null },
        usage: { output_tokens: 20 },
      },
      { type: "message_stop" },
    ];
    return events.map((data) => event(data, data.type)).join("");
  },

  document: (answer, inputTokens) => message(answer, [contentBlock(answer)], true, inputTokens),
};
