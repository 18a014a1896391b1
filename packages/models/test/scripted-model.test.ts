import { describe, expect, test } from "bun:test";
import type { Message, ModelConnection, ModelRequest, StreamPart } from "@codelia/shared-types";
import { StreamPartSchema } from "@codelia/shared-types";
import { createScriptedModel, parseScript, type Sleep } from "../src/scripted/index.ts";

const noSleep: Sleep = async () => {};
const neverAborted = new AbortController().signal;

function scripted(json: unknown, sleep = noSleep): ModelConnection {
  const parse = parseScript(json, "demo");
  if (!parse.ok) throw new Error(JSON.stringify(parse.problems));
  return createScriptedModel(parse.script, { sleep });
}

function request(...messages: Message[]): ModelRequest {
  return { messages: [{ role: "system", text: "You help." }, ...messages], tools: [] };
}

function ask(model: ModelConnection, ...messages: Message[]): Promise<StreamPart[]> {
  return Array.fromAsync(model.stream(request(...messages), neverAborted));
}

/** The parts without the estimated figures. */
function withoutUsage(parts: readonly StreamPart[]): StreamPart[] {
  return parts.filter(({ type }) => type !== "usage");
}

function invalid(message: string): StreamPart[] {
  return [{ type: "failure", failure: { kind: "InvalidRequest", message, retryable: false } }];
}

describe("a turn", () => {
  test("is sent as reasoning, text and tool calls in deltas, then usage and finish", async () => {
    const model = scripted({
      name: "full",
      contextWindow: 1234,
      turns: [
        {
          reasoning: "Hm, so",
          text: "né 👩‍💻!",
          tool_calls: [
            { name: "read", arguments: { path: "a" } },
            { name: "odd", arguments: "{no", id: "mine" },
          ],
          chunk: 4,
          usage: { input_tokens: 9, cached_input_tokens: 8, cache_write_tokens: 7, output_tokens: 6 },
        },
      ],
    });
    expect({ id: model.id, contextWindow: model.contextWindow }).toEqual({
      id: "scripted/full",
      contextWindow: 1234,
    });
    const parts = await ask(model);
    expect(parts).toEqual([
      { type: "reasoning_delta", text: "Hm, " },
      { type: "reasoning_delta", text: "so" },
      { type: "reasoning_end" },
      { type: "text_delta", text: "né 👩" },
      { type: "text_delta", text: "\u200d💻!" },
      { type: "text_end" },
      { type: "tool_call_start", id: "call_1_1", name: "read" },
      { type: "tool_call_delta", id: "call_1_1", delta: '{"pa' },
      { type: "tool_call_delta", id: "call_1_1", delta: 'th":' },
      { type: "tool_call_delta", id: "call_1_1", delta: '"a"}' },
      { type: "tool_call", id: "call_1_1", name: "read", arguments: '{"path":"a"}' },
      { type: "tool_call_start", id: "mine", name: "odd" },
      { type: "tool_call_delta", id: "mine", delta: "{no" },
      { type: "tool_call", id: "mine", name: "odd", arguments: "{no" },
      {
        type: "usage",
        usage: { inputTokens: 9, cachedInputTokens: 8, cacheWriteTokens: 7, outputTokens: 6 },
      },
      { type: "finish", reason: "tool_calls" },
    ]);
    expect(parts.map((part) => StreamPartSchema.parse(part))).toEqual(parts);
  });

  test("has deltas of 16 code points and finishes with stop, unless it says otherwise", async () => {
    const model = scripted({ turns: [{ text: "0123456789abcdefg" }, { finish: "content_filter" }] });
    expect(withoutUsage(await ask(model))).toEqual([
      { type: "text_delta", text: "0123456789abcdef" },
      { type: "text_delta", text: "g" },
      { type: "text_end" },
      { type: "finish", reason: "stop" },
    ]);
    expect(withoutUsage(await ask(model))).toEqual([{ type: "finish", reason: "content_filter" }]);
  });

  test("with an error fails as it says, and the next request meets the next turn", async () => {
    const model = scripted({
      turns: [
        { error: { kind: "RateLimitError", message: "slow down", status: 429, retry_after_ms: 1500 } },
        { text: "half", reasoning: "r", error: { kind: "ConnectionError", after: "text" } },
        { reasoning: "thought", error: { kind: "ContextOverflow", after: "text" } },
        { error: { kind: "SessionExpired" } },
        { text: "ok" },
      ],
    });
    expect(await ask(model)).toEqual([
      {
        type: "failure",
        failure: {
          kind: "RateLimitError",
          message: "slow down",
          status: 429,
          retryAfterMs: 1500,
          retryable: true,
        },
      },
    ]);
    expect(await ask(model)).toEqual([
      { type: "reasoning_delta", text: "r" },
      { type: "reasoning_end" },
      { type: "text_delta", text: "half" },
      {
        type: "failure",
        failure: {
          kind: "ConnectionError",
          message: "turn 2 of the script is a ConnectionError",
          retryable: true,
        },
      },
    ]);
    expect(await ask(model)).toEqual([
      { type: "reasoning_delta", text: "thought" },
      {
        type: "failure",
        failure: {
          kind: "ContextOverflow",
          message: "turn 3 of the script is a ContextOverflow",
          retryable: false,
        },
      },
    ]);
    expect((await ask(model)).map(({ type }) => type)).toEqual(["failure"]);
    expect(withoutUsage(await ask(model))).toEqual([
      { type: "text_delta", text: "ok" },
      { type: "text_end" },
      { type: "finish", reason: "stop" },
    ]);
  });

  test("waits as long as it says, before its first part", async () => {
    const slept: number[] = [];
    const sleep: Sleep = async (milliseconds) => void slept.push(milliseconds);
    const model = scripted({ turns: [{ delay_ms: 250, text: "a" }, { text: "b" }] }, sleep);
    const stream = model.stream(request(), neverAborted)[Symbol.asyncIterator]();
    expect(await stream.next()).toEqual({ done: false, value: { type: "text_delta", text: "a" } });
    expect(slept).toEqual([250]);
    await ask(model);
    expect(slept).toEqual([250]);
  });

  test("is played as often as it says, with new call ids each time", async () => {
    const model = scripted({
      turns: [{ tool_calls: [{ name: "a", arguments: {} }], repeat: 2 }, { text: "end" }],
    });
    const ids: string[][] = [];
    for (let round = 0; round < 3; round += 1) {
      ids.push((await ask(model)).flatMap((part) => (part.type === "tool_call" ? [part.id] : [])));
    }
    expect(ids).toEqual([["call_1_1"], ["call_2_1"], []]);
  });

  test("keeps a key named __proto__ in its arguments", async () => {
    const json = '{"__proto__":{"a":1},"b":{"__proto__":2}}';
    const args: unknown = JSON.parse(json);
    const model = scripted({ turns: [{ tool_calls: [{ name: "a", arguments: args }] }] });
    const call = (await ask(model)).find(({ type }) => type === "tool_call");
    expect(call).toEqual({ type: "tool_call", id: "call_1_1", name: "a", arguments: json });
  });

  test("of 10 MB arrives whole", async () => {
    const text = "0123456789abcde\u{1f600}".repeat(550_000);
    const parts = await ask(scripted({ turns: [{ text, chunk: 100_000 }] }));
    const deltas = parts.flatMap((part) => (part.type === "text_delta" ? [part.text] : []));
    expect(deltas.length).toBe(88);
    expect(deltas.join("") === text).toBe(true);
  });
});

describe("after the last turn", () => {
  test("a request fails, by default", async () => {
    const model = scripted({ turns: [{}] });
    await ask(model);
    const used = invalid("turn 2 of the script demo: there is no such turn; add it, or set after_last");
    expect(await ask(model)).toEqual(used);
    expect(await ask(model)).toEqual(used);
  });

  test("stop answers with nothing and repeat_last with the last turn, for ever", async () => {
    const turns = [{ text: "a" }, { text: "b" }];
    const texts: Record<string, string[]> = {};
    for (const after_last of ["stop", "repeat_last"]) {
      const model = scripted({ turns, after_last });
      for (let round = 0; round < 4; round += 1) {
        const parts = await ask(model);
        expect(parts.at(-1)).toEqual({ type: "finish", reason: "stop" });
        const text = parts.map((part) => (part.type === "text_delta" ? part.text : "")).join("");
        texts[after_last] = [...(texts[after_last] ?? []), text];
      }
    }
    expect(texts).toEqual({ stop: ["a", "b", "", ""], repeat_last: ["a", "b", "b", "b"] });
  });
});
