// A model whose responses a test writes down part by part, and that keeps the requests it was sent.
import type { ModelConnection, ModelRequest, StreamPart } from "@codelia/shared-types";

export interface FakeConnection extends ModelConnection {
  readonly requests: ModelRequest[];
}

type Responses = readonly (
  | readonly StreamPart[]
  | ((request: ModelRequest, signal: AbortSignal) => AsyncIterable<StreamPart>)
)[];

export function fakeConnection(responses: Responses): FakeConnection {
  const requests: ModelRequest[] = [];
  return {
    id: "fake/model",
    contextWindow: undefined,
    requests,
    async *stream(request, signal) {
      const response = responses[requests.length];
      requests.push(structuredClone(request));
      if (response === undefined) throw new Error("the test wrote down no further response");
      if (typeof response === "function") yield* response(request, signal);
      else yield* response;
    },
  };
}

export function saying(text: string): StreamPart[] {
  return [
    { type: "text_delta", text },
    { type: "text_end" },
    { type: "usage", usage: { inputTokens: 10, cachedInputTokens: 4, cacheWriteTokens: 0, outputTokens: 2 } },
    { type: "finish", reason: "stop" },
  ];
}

export function calling(
  ...calls: readonly (readonly [id: string, name: string, args: unknown])[]
): StreamPart[] {
  return [
    ...calls.map(([id, name, args]) => ({
      type: "tool_call" as const,
      id,
      name,
      arguments: typeof args === "string" ? args : JSON.stringify(args),
    })),
    { type: "finish", reason: "tool_calls" },
  ];
}
