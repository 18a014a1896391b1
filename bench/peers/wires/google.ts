// Google generateContent: the method is part of the path; a stream is a run of whole responses.
import { field, list, text } from "../json.ts";
import { type Answer, event, type Wire } from "./wire.ts";

function response(answer: Answer, inputTokens: number): unknown {
  const part =
    answer.kind === "text"
      ? { text: answer.text }
      : { functionCall: { id: answer.id, name: answer.name, args: answer.arguments } };
  return {
    candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
    usageMetadata: {
      promptTokenCount: inputTokens,
      candidatesTokenCount: 20,
      totalTokenCount: inputTokens + 20,
    },
    modelVersion: "fake-model",
    responseId: answer.id,
  };
}

function parts(content: unknown): readonly unknown[] {
  return list(field(content, "parts"));
}

export const google: Wire = {
  name: "Google generateContent",
  accepts: (path) => path.endsWith(":generateContent") || path.endsWith(":streamGenerateContent"),
  streams: (path) => path.endsWith(":streamGenerateContent"),

  tools: (body) =>
    list(field(body, "tools"))
      .flatMap((group) => list(field(group, "functionDeclarations")))
      .map((tool) => ({
        name: text(field(tool, "name")) ?? "",
        parameters: field(tool, "parametersJsonSchema") ?? field(tool, "parameters"),
      })),

  toolResults: (body) =>
    list(field(body, "contents"))
      .flatMap(parts)
      .filter((part) => field(part, "functionResponse") !== undefined).length,

  promptParts: (body) => [
    ...list(field(body, "tools")),
    ...parts(field(body, "systemInstruction")),
    ...list(field(body, "contents")).flatMap((content) => [field(content, "role"), ...parts(content)]),
  ],

  stream: (answer, inputTokens) => event(response(answer, inputTokens)),
  document: response,
};
