// OpenAI chat completions: unnamed chunks of one message, ended by a mark that is not JSON.
import { field, list, text } from "../json.ts";
import { type Answer, event, type Wire } from "./wire.ts";

function message(answer: Answer): Record<string, unknown> {
  if (answer.kind === "text") return { role: "assistant", content: answer.text };
  const call = { name: answer.name, arguments: JSON.stringify(answer.arguments) };
  return {
    role: "assistant",
    content: null,
    tool_calls: [{ index: 0, id: answer.id, type: "function", function: call }],
  };
}

function finishReason(answer: Answer): string {
  return answer.kind === "text" ? "stop" : "tool_calls";
}

function usage(inputTokens: number): unknown {
  return { prompt_tokens: inputTokens, completion_tokens: 20, total_tokens: inputTokens + 20 };
}

export const openaiChat: Wire = {
  name: "OpenAI chat completions",
  accepts: (path) => path.endsWith("/chat/completions"),
  streams: (_path, body) => field(body, "stream") === true,

  tools: (body) =>
    list(field(body, "tools")).map((tool) => ({
      name: text(field(field(tool, "function"), "name")) ?? "",
      parameters: field(field(tool, "function"), "parameters"),
    })),

  toolResults: (body) =>
    list(field(body, "messages")).filter((entry) => field(entry, "role") === "tool").length,

  promptParts: (body) => [...list(field(body, "tools")), ...list(field(body, "messages"))],

  stream(answer, inputTokens) {
    const head = {
      id: `chatcmpl-${answer.id}`,
      object: "chat.completion.chunk",
      created: 0,
      model: "fake-model",
    };
    return [
      event({ ...head, choices: [{ index: 0, delta: message(answer), finish_reason: null }] }),
      event({ ...head, choices: [{ index: 0, delta: {}, finish_reason: finishReason(answer) }] }),
      event({ ...head, choices: [], usage: usage(inputTokens) }),
      event("[DONE]"),
    ].join("");
  },

  document: (answer, inputTokens) => ({
    id: `chatcmpl-${answer.id}`,
    object: "chat.completion",
    created: 0,
    model: "fake-model",
    choices: [{ index: 0, message: message(answer), finish_reason: finishReason(answer) }],
    usage: usage(inputTokens),
  }),
};
