import { describe, expect, test } from "bun:test";
import type { Message, ModelConnection, ModelRequest, Usage } from "@codelia/shared-types";
import { commonPrefixLength, createScriptedModel, requestBytes } from "../src/scripted/index.ts";

const signal = new AbortController().signal;
const sleep = async () => {};
const endless = { name: "cache", turns: [{ text: "12345" }], after_last: "repeat_last" } as const;
const scripted = () => createScriptedModel({ ...endless, turns: [...endless.turns] }, { sleep });

const tools = [{ name: "read", description: "Reads.", parameters: { type: "object", properties: {} } }];

/** A system message whose line has exactly this many bytes, its line break included. */
function systemOf(bytes: number): Message {
  const frame = requestBytes({ tools: [], messages: [{ role: "system", text: "" }] }).length;
  return { role: "system", text: "x".repeat(bytes - frame) };
}

async function usageOf(model: ModelConnection, request: ModelRequest): Promise<Usage | undefined> {
  const parts = await Array.fromAsync(model.stream(request, signal));
  return parts.flatMap((part) => (part.type === "usage" ? [part.usage] : []))[0];
}

describe("the canonical bytes of a request", () => {
  const system: Message = { role: "system", text: "s" };
  const assistant: Message = {
    role: "assistant",
    content: [{ type: "tool_call", id: "1", name: "read", arguments: "{}", providerData: { z: 1, a: 2 } }],
  };

  test("are a line for each tool, then for each message in order", () => {
    expect(new TextDecoder().decode(requestBytes({ tools, messages: [system, assistant] }))).toBe(
      [
        '{"description":"Reads.","name":"read","parameters":{"type":"object","properties":{}}}',
        '{"role":"system","text":"s"}',
        '{"content":[{"arguments":"{}","id":"1","name":"read","providerData":{"z":1,"a":2},"type":"tool_call"}],"role":"assistant"}',
        "",
      ].join("\n"),
    );
  });

  test("do not depend on the order in which our own objects were built, nor on absent values", () => {
    const shuffled = {
      content: [
        { providerData: { z: 1, a: 2 }, arguments: "{}", name: "read", id: "1", type: "tool_call" as const },
      ],
      role: "assistant" as const,
    };
    expect(requestBytes({ tools, messages: [shuffled] })).toEqual(
      requestBytes({ tools, messages: [assistant] }),
    );
    const plain = { type: "text" as const, text: "a" };
    const absent = { ...plain, providerData: undefined };
    expect(requestBytes({ tools, messages: [{ role: "user", content: [absent] }] })).toEqual(
      requestBytes({ tools, messages: [{ role: "user", content: [plain] }] }),
    );
  });

  test("do depend on the order inside what only the provider reads", () => {
    const turned = [
      { ...tools[0], name: "read", description: "Reads.", parameters: { properties: {}, type: "object" } },
    ];
    expect(requestBytes({ tools, messages: [] })).not.toEqual(requestBytes({ tools: turned, messages: [] }));
  });

  test("of a request that grew at its tail extend those of the one before", () => {
    const before = requestBytes({ tools, messages: [system] });
    const after = requestBytes({ tools, messages: [system, assistant] });
    expect(commonPrefixLength(before, after)).toBe(before.length);
    const changed = requestBytes({ tools, messages: [{ role: "system", text: "t" }, assistant] });
    expect(commonPrefixLength(before, changed)).toBe(before.length - '"}\n'.length - 1);
  });

  test("leave out the cache key and the output limit", () => {
    const request: ModelRequest = { tools, messages: [system], cacheKey: "k", maxOutputTokens: 5 };
    expect(requestBytes(request)).toEqual(requestBytes({ tools, messages: [system] }));
  });
});

test("the common prefix of byte strings ends at the first difference or at the shorter end", () => {
  const prefix = (a: number[], b: number[]) => commonPrefixLength(Uint8Array.from(a), Uint8Array.from(b));
  expect([prefix([], []), prefix([1], []), prefix([1, 2], [1, 2, 3]), prefix([1, 2, 3], [1, 9, 3])]).toEqual([
    0, 0, 2, 1,
  ]);
});

describe("the simulated prompt cache", () => {
  test("reads the earlier request in whole blocks as the conversation grows", async () => {
    const model = scripted();
    const messages: Message[] = [];
    const usages: (Usage | undefined)[] = [];
    // 4,000, 4,100, 4,604 and 8,700 bytes: 1,000, 1,025, 1,151 and 2,175 tokens.
    for (const bytes of [4000, 100, 504, 4096]) {
      messages.push(systemOf(bytes));
      usages.push(await usageOf(model, { messages: [...messages], tools: [] }));
    }
    expect(usages).toEqual([
      { inputTokens: 1000, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 2 },
      { inputTokens: 1025, cachedInputTokens: 0, cacheWriteTokens: 1024, outputTokens: 2 },
      { inputTokens: 1151, cachedInputTokens: 1024, cacheWriteTokens: 0, outputTokens: 2 },
      { inputTokens: 2175, cachedInputTokens: 1024, cacheWriteTokens: 1024, outputTokens: 2 },
    ]);
  });

  test("reads nothing behind the first changed byte", async () => {
    const model = scripted();
    const tail = systemOf(8192);
    await usageOf(model, { messages: [{ role: "system", text: "12:00" }, tail], tools: [] });
    const usage = await usageOf(model, { messages: [{ role: "system", text: "12:01" }, tail], tools: [] });
    expect(usage?.cachedInputTokens).toBe(0);
  });

  test("remembers every earlier request, not only the last", async () => {
    const model = scripted();
    const [first, second] = [systemOf(8192), systemOf(4096)];
    await usageOf(model, { messages: [first], tools: [] });
    await usageOf(model, { messages: [second], tools: [] });
    const back = await usageOf(model, { messages: [first, second], tools: [] });
    expect(back?.cachedInputTokens).toBe(2048);
    const shorter = await usageOf(model, { messages: [first], tools: [] });
    expect(shorter?.cachedInputTokens).toBe(2048);
  });

  test("follows other rules when they are given", async () => {
    const cache = { blockTokens: 10, minimumTokens: 20 };
    const model = createScriptedModel({ ...endless, turns: [...endless.turns] }, { sleep, cache });
    const messages = [systemOf(102)];
    expect(await usageOf(model, { messages, tools: [] })).toEqual({
      inputTokens: 26,
      cachedInputTokens: 0,
      cacheWriteTokens: 20,
      outputTokens: 2,
    });
    expect((await usageOf(model, { messages, tools: [] }))?.cachedInputTokens).toBe(20);
  });

  test("lets a script replace single figures", async () => {
    const turns = [{ text: "äöü", usage: { cached_input_tokens: 7 } }];
    const model = createScriptedModel({ name: "u", turns }, { sleep });
    expect(await usageOf(model, { messages: [systemOf(100)], tools: [] })).toEqual({
      inputTokens: 25,
      cachedInputTokens: 7,
      cacheWriteTokens: 0,
      outputTokens: 2,
    });
  });
});
