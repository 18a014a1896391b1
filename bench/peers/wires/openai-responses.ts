// OpenAI Responses: items with ids; the completed response repeats all of them.
import { field, list, text } from "../json.ts";
import { type Answer, event, type Wire } from "./wire.ts";

function item(answer: Answer): Record<string, unknown> {
  if (answer.kind === "text") {
    return {
      type: "message",
      id: `msg_${answer.id}`,
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: answer.text, annotations: [] }],
    };
  }
  return {
    type: "function_call",
    id: `fc_${answer.id}`,
    call_id: answer.id,
    name: answer.name,
    arguments: JSON.stringify(answer.arguments),
    status: "completed",
  };
}

function response(id: string, status: string, output: readonly unknown[], inputTokens: number): unknown {
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: 0,
    model: "fake-model",
    status,
    output,
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + 20,
    },
  };
}

function deltas(answer: Answer): { type: string; [key: string]: unknown }[] {
  if (answer.kind === "text") {
    const place = { item_id: `msg_${answer.id}`, output_index: 0, content_index: 0 };
    return [
      { type: "response.content_part.added", ...place, part: { type: "output_text", text: "" } },
      { type: "response.output_text.delta", ...place, delta: answer.text },
      { type: "response.output_text.done", ...place, text: answer.text },
      { type: "response.content_part.done", ...place, part: { type: "output_text", text: answer.text } },
    ];
  }
  const place = { item_id: `fc_${answer.id}`, output_index: 0 };
  const json = JSON.stringify(answer.arguments);
  return [
    { type: "response.function_call_arguments.delta", ...place, delta: json },
    { type: "response.function_call_arguments.done", ...place, arguments: json },
  ];
}

export const openaiResponses: Wire = {
  name: "OpenAI Responses",
  accepts: (path) => path.endsWith("/responses"),
  streams: (_path, body) => field(body, "stream") === true,

  tools: (body) =>
    list(field(body, "tools")).map((tool) => ({
      name: text(field(tool, "name")) ?? "",
      parameters: field(tool, "parameters"),
    })),

  toolResults: (body) =>
    list(field(body, "input")).filter((entry) => field(entry, "type") === "function_call_output").length,

  promptParts: (body) => [
    ...list(field(body, "tools")),
    field(body, "instructions") ?? "",
    ...list(field(body, "input")),
  ],

  stream(answer, inputTokens) {
    const whole = item(answer);
    const opening = answer.kind === "text" ? { ...whole, content: [] } : { ...whole, arguments: "" };
    const events = [
      { type: "response.created", response: response(answer.id, "in_progress", [], inputTokens) },
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { ...opening, status: "in_progress" },
      },
      ...deltas(answer),
      { type: "response.output_item.done", output_index: 0, item: whole },
      { type: "response.completed", response: response(answer.id, "completed", [whole], inputTokens) },
    ];
    return events.map((data, index) => event({ ...data, sequence_number: index }, data.type)).join("");
  },

  document: (answer, inputTokens) => response(answer.id, "completed", [item(answer)], inputTokens),
};
