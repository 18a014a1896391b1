// The four wire formats, and the parts that most tests of connections need.
import { createConnection } from "@codelia/models";
import type { ModelConnection, ModelFailure, ModelRequest, StreamPart } from "@codelia/shared-types";
import { anthropicWire } from "./anthropic.ts";
import { chatWire } from "./chat.ts";
import { googleWire } from "./google.ts";
import { openaiWire } from "./openai.ts";
import type { Reply, WireServer } from "./server.ts";
import type { Answer, AnswerPart, Trouble, Wire } from "./wire.ts";

export * from "./server.ts";
export * from "./wire.ts";

export const wires: readonly Wire[] = [anthropicWire, openaiWire, googleWire, chatWire];
export const wireOf = { anthropic: anthropicWire, openai: openaiWire, google: googleWire, chat: chatWire };

export const key = "sk-test-0123456789abcdef";

export type ConnectionChanges = Partial<Parameters<typeof createConnection>[0]>;

export function connectionTo(
  server: WireServer,
  wire: Wire,
  changes: ConnectionChanges = {},
): ModelConnection {
  return createConnection({
    provider: "test",
    kind: wire.kind,
    modelId: wire.model,
    baseUrl: `${server.origin}${wire.basePath}`,
    apiKey: key,
    keySource: "TEST_KEY",
    fetch,
    ...changes,
  });
}

export async function collect(
  connection: ModelConnection,
  request: ModelRequest = hello,
  signal: AbortSignal = new AbortController().signal,
): Promise<StreamPart[]> {
  return Array.fromAsync(connection.stream(request, signal));
}

export const hello: ModelRequest = {
  messages: [{ role: "user", content: [{ type: "text", text: "hello" }] }],
  tools: [],
};

export const usage = { inputTokens: 100, cachedInputTokens: 60, cacheWriteTokens: 0, outputTokens: 7 };

/** The answer in the wire's events, whole. */
export function written(wire: Wire, answer: Answer): string {
  return wire.write(wire.events(answer));
}

/** The answer without the events that end it. */
export function unfinished(wire: Wire, answer: Answer): string {
  return wire.write(wire.events(answer).slice(0, -wire.endEvents)).replace("data: [DONE]\n\n", "");
}

/** The parts that a consumer must see for an answer. */
export function expectedParts(wire: Wire, { parts, finish, usage: counted }: Answer): StreamPart[] {
  const seen: StreamPart[] = [];
  const late: StreamPart[] = [];
  parts.forEach((part, index) => {
    const [announced, whole] = expectedPart(wire, part, index);
    seen.push(...announced);
    (wire.callsAtEnd ? late : seen).push(...whole);
  });
  return [...seen, ...late, { type: "usage", usage: counted }, { type: "finish", reason: finish }];
}

function expectedPart(wire: Wire, part: AnswerPart, index: number): [StreamPart[], StreamPart[]] {
  const providerData = wire.data(part, index);
  const data = providerData === undefined ? {} : { providerData };
  if (part.type === "tool") {
    const { id, name } = part;
    return [
      [
        { type: "tool_call_start", id, name },
        { type: "tool_call_delta", id, delta: part.arguments },
      ],
      [{ type: "tool_call", id, name, arguments: part.arguments, ...data }],
    ];
  }
  const deltas = part.deltas.map((text): StreamPart => ({ type: `${part.type}_delta`, text }));
  return [[...deltas, { type: `${part.type}_end`, ...data }], []];
}

/** A refusal with a provider's own words. */
export function troubled(
  wire: Wire,
  trouble: Trouble,
  message: string,
  headers: Record<string, string> = {},
): Reply {
  const { status, body } = wire.trouble(trouble, message);
  return { status, headers, body: [body] };
}

/** The one failure that ends an answer. */
export function failureIn(parts: readonly StreamPart[]): ModelFailure {
  const [last, ...others] = parts.filter(({ type }) => type === "failure" || type === "finish");
  if (last?.type !== "failure" || others.length > 0 || parts.at(-1) !== last) {
    throw new Error(`expected one failure at the end: ${JSON.stringify(parts)}`);
  }
  return last.failure;
}
