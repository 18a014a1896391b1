// A conversation with everything in it, and what is sent of it.
import { expect } from "bun:test";
import type { Message, ModelRequest } from "@codelia/shared-types";
import { type Answer, collect, connectionTo, usage, type Wire, WireServer, written } from "./wire/index.ts";

const answer: Answer = { parts: [{ type: "text", deltas: ["ok"] }], finish: "stop", usage };
export const image = "iVBORw0KGgo=";

export const tools: ModelRequest["tools"] = [
  {
    name: "read",
    description: "Reads a file.",
    parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  },
];

/** A conversation as the wire's own answer before would have left it. */
export function conversation(wire: Wire): Message[] {
  const reasoning = { type: "reasoning", deltas: ["hm"], signature: "c2ln" } as const;
  const spoken = { type: "text", deltas: ["I look."] } as const;
  const good = { type: "tool", id: "call_a", name: "read", arguments: '{"path": "a.png"}' } as const;
  const bad = { type: "tool", id: "call_b", name: "read", arguments: '{"path": "b' } as const;
  const data = (part: Answer["parts"][number], index: number) => {
    const providerData = wire.data(part, index);
    return providerData === undefined ? {} : { providerData };
  };
  return [
    { role: "system", text: "Base.\r\n  Kept as it is.\t" },
    { role: "system", text: "Environment 世界" },
    { role: "system", text: "<agents_context>\n</agents_context>" },
    {
      role: "user",
      content: [
        { type: "text", text: "What is this?" },
        { type: "image", mediaType: "image/png", data: image },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "hm", ...data(reasoning, 0) },
        { type: "text", text: "I look.", ...data(spoken, 1) },
        { type: "tool_call", id: good.id, name: good.name, arguments: good.arguments, ...data(good, 2) },
        { type: "tool_call", id: bad.id, name: bad.name, arguments: bad.arguments },
      ],
    },
    { role: "tool", toolCallId: "call_a", toolName: "read", output: "an image, see below", isError: false },
    { role: "tool", toolCallId: "call_b", toolName: "read", output: "arguments are no JSON", isError: true },
    { role: "user", content: [{ type: "image", mediaType: "image/png", data: image }] },
  ];
}

export async function send(
  wire: Wire,
  ...requests: readonly ModelRequest[]
): Promise<{ bodies: unknown[]; texts: string[] }> {
  const reply = { body: [written(wire, answer)] };
  await using server = await WireServer.start(wire.schema, ...requests.map(() => reply));
  const connection = connectionTo(server, wire);
  for (const request of requests) await collect(connection, request);
  expect(server.violations).toEqual([]);
  return { bodies: server.requests.map(({ body }) => body), texts: server.requests.map(({ text }) => text) };
}
