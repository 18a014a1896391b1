// What a connection makes of a provider's answer, for each wire format, against a real server.
import { describe, expect, test } from "bun:test";
import type { Message, StreamPart } from "@codelia/shared-types";
import {
  type Answer,
  bytewiseFetch,
  collect,
  connectionTo,
  expectedParts,
  hello,
  usage,
  WireServer,
  wireOf,
  wires,
  written,
} from "./wire/index.ts";

const text: Answer = {
  parts: [{ type: "text", deltas: ["Hello ", "wörld 世界 🎉"] }],
  finish: "stop",
  usage,
};

const everything: Answer = {
  parts: [
    { type: "reasoning", deltas: ["First ", "look."], signature: "c2lnbmF0dXJl" },
    { type: "text", deltas: ["I read ", "both."] },
    { type: "tool", id: "call_a", name: "read", arguments: '{"path":"a.ts"}' },
    { type: "tool", id: "call_b", name: "list", arguments: '{"path":"src"}' },
  ],
  finish: "tool_calls",
  usage,
};

for (const wire of wires) {
  describe(wire.kind, () => {
    test("text arrives in its deltas, with usage that counts cached tokens", async () => {
      await using server = await WireServer.start(wire.schema, { body: [written(wire, text)] });
      expect(await collect(connectionTo(server, wire))).toEqual(expectedParts(wire, text));
      expect(server.requests.map(({ method, path }) => ({ method, path }))).toEqual([
        { method: "POST", path: wire.path },
      ]);
      expect(server.violations).toEqual([]);
    });

    test("reasoning, text and parallel tool calls arrive in order with the provider's data", async () => {
      await using server = await WireServer.start(wire.schema, { body: [written(wire, everything)] });
      expect(await collect(connectionTo(server, wire))).toEqual(expectedParts(wire, everything));
    });

    test("an answer that arrives byte by byte is the same answer", async () => {
      const answer: Answer = { ...everything, parts: [...text.parts, ...everything.parts] };
      await using server = await WireServer.start(wire.schema, { body: [written(wire, answer)] });
      const connection = connectionTo(server, wire, { fetch: bytewiseFetch });
      expect(await collect(connection)).toEqual(expectedParts(wire, answer));
    });

    test("an answer that was cut at the token limit says so", async () => {
      const cut: Answer = { ...text, finish: "length" };
      await using server = await WireServer.start(wire.schema, { body: [written(wire, cut)] });
      expect(await collect(connectionTo(server, wire))).toEqual(expectedParts(wire, cut));
    });

    test("the key goes into its header, and configured headers are added", async () => {
      await using server = await WireServer.start(wire.schema, { body: [written(wire, text)] });
      await collect(connectionTo(server, wire, { apiKey: "sk-one-two", headers: { "X-Team": "tools" } }));
      const headers = server.requests[0]?.headers;
      const bearer = wire.keyHeader === "authorization" ? "Bearer " : "";
      expect([headers?.[wire.keyHeader], headers?.["x-team"]]).toEqual([`${bearer}sk-one-two`, "tools"]);
    });

    test("without a key no key header is sent, and a configured one is sent as it is", async () => {
      const reply = { body: [written(wire, text)] };
      await using server = await WireServer.start(wire.schema, reply, reply);
      await collect(connectionTo(server, wire, { apiKey: undefined }));
      await collect(connectionTo(server, wire, { apiKey: undefined, headers: { [wire.keyHeader]: "own" } }));
      expect(server.requests.map(({ headers }) => headers[wire.keyHeader])).toEqual([undefined, "own"]);
    });

    test("a tool id that comes twice gets a number, and so does one that the conversation had", async () => {
      const twice: Answer = {
        parts: [
          { type: "tool", id: "call_0", name: "read", arguments: '{"path":"a"}' },
          { type: "tool", id: "call_0", name: "read", arguments: '{"path":"b"}' },
        ],
        finish: "tool_calls",
        usage,
      };
      const reply = { body: [written(wire, twice)] };
      await using server = await WireServer.start(wire.schema, reply, reply, reply);
      const connection = connectionTo(server, wire);
      const first = await collect(connection);
      expect(toolIds(first)).toEqual(["call_0", wire.callsAtEnd ? "call" : "call_0_2"]);
      expect(await collect(connection)).toEqual(first);
      const history: Message[] = [
        ...hello.messages,
        { role: "assistant", content: [{ type: "tool_call", id: "call_0", name: "read", arguments: "{}" }] },
        { role: "tool", toolCallId: "call_0", toolName: "read", output: "x", isError: false },
      ];
      const later = await collect(connection, { messages: history, tools: [] });
      expect(toolIds(later)).toEqual(["call_0_2", wire.callsAtEnd ? "call" : "call_0_3"]);
      expect(server.violations).toEqual([]);
    });
  });
}

function toolIds(parts: readonly StreamPart[]): string[] {
  const started = parts.flatMap((part) => (part.type === "tool_call_start" ? [part.id] : []));
  const whole = parts.flatMap((part) => (part.type === "tool_call" ? [part.id] : []));
  expect(whole).toEqual(started);
  return whole;
}

for (const wire of [wireOf.anthropic, wireOf.openai, wireOf.chat]) {
  test(`${wire.kind}: malformed arguments arrive as the model wrote them`, async () => {
    const malformed: Answer = {
      parts: [{ type: "tool", id: "call_a", name: "write", arguments: '{"path": "a.ts", "text": "unfin' }],
      finish: "tool_calls",
      usage,
    };
    await using server = await WireServer.start(wire.schema, { body: [written(wire, malformed)] });
    expect(await collect(connectionTo(server, wire))).toEqual(expectedParts(wire, malformed));
  });
}

for (const wire of [wireOf.google, wireOf.chat]) {
  test(`${wire.kind}: calls without an id get the same ids each time`, async () => {
    const nameless: Answer = {
      parts: [
        { type: "tool", id: "", name: "read", arguments: '{"path":"a"}' },
        { type: "tool", id: "", name: "read", arguments: '{"path":"b"}' },
      ],
      finish: "tool_calls",
      usage,
    };
    const reply = { body: [written(wire, nameless)] };
    await using server = await WireServer.start(wire.schema, reply, reply);
    const connection = connectionTo(server, wire);
    expect([toolIds(await collect(connection)), toolIds(await collect(connection))]).toEqual([
      ["call", "call_2"],
      ["call", "call_2"],
    ]);
  });
}

test("a server that says stop although it calls tools is understood as calling tools", async () => {
  const wire = wireOf.chat;
  const calls: Answer = {
    parts: [{ type: "tool", id: "call_a", name: "now", arguments: "" }],
    finish: "stop",
    usage,
  };
  await using server = await WireServer.start(wire.schema, { body: [written(wire, calls)] });
  expect(await collect(connectionTo(server, wire))).toEqual([
    { type: "tool_call_start", id: "call_a", name: "now" },
    { type: "tool_call", id: "call_a", name: "now", arguments: "{}" },
    { type: "usage", usage },
    { type: "finish", reason: "tool_calls" },
  ]);
});

test("Anthropic's cache writes are counted, and redacted thinking keeps its data", async () => {
  const wire = wireOf.anthropic;
  const counted = { inputTokens: 100, cachedInputTokens: 10, cacheWriteTokens: 40, outputTokens: 3 };
  const values = wire.events({ ...text, usage: counted });
  const redacted = [
    { type: "content_block_start", index: 9, content_block: { type: "redacted_thinking", data: "b3BhcXVl" } },
    { type: "content_block_stop", index: 9 },
  ];
  await using server = await WireServer.start(wire.schema, {
    body: [wire.write([...values.slice(0, 2), ...redacted, ...values.slice(2)])],
  });
  expect(await collect(connectionTo(server, wire))).toEqual([
    { type: "reasoning_end", providerData: { anthropic: { redactedData: "b3BhcXVl" } } },
    ...expectedParts(wire, { ...text, usage: counted }),
  ]);
});

test("events, blocks and deltas that Anthropic may add are passed over; known ones that are malformed are not", async () => {
  const wire = wireOf.anthropic;
  const answer = written(wire, text);
  const added = [
    { type: "brand_new_event", x: 1 },
    { type: "content_block_start", index: 7, content_block: { type: "brand_new_block" } },
    { type: "content_block_delta", index: 0, delta: { type: "brand_new_delta", z: 1 } },
  ];
  // Behind the first delta of the answer.
  const place = answer.indexOf("\n\n", answer.indexOf("text_delta")) + 2;
  const withAdded = answer.slice(0, place) + wire.write(added) + answer.slice(place);
  const malformed = wire.write([
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: 1 } },
  ]);
  await using server = await WireServer.start(
    wire.schema,
    { body: [withAdded] },
    { body: [answer.slice(0, place) + malformed + answer.slice(place)] },
  );
  const connection = connectionTo(server, wire);
  expect(await collect(connection)).toEqual(expectedParts(wire, text));
  expect((await collect(connection)).at(-1)?.type).toBe("failure");
});
