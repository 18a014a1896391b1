import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import type { Message, ModelConnection, ModelRequest, StreamPart } from "@codelia/shared-types";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { type RecordingSink, recordModel, replayModel } from "../src/recording/index.ts";
import { createScriptedModel, parseScript, type Sleep } from "../src/scripted/index.ts";

const signal = new AbortController().signal;
const sleep: Sleep = async () => {};
const instant = { speed: "instant", sleep } as const;

function scripted(json: unknown): ModelConnection {
  const parse = parseScript(json, "demo");
  if (!parse.ok) throw new Error(JSON.stringify(parse.problems));
  return createScriptedModel(parse.script, { sleep });
}

/** Keeps the lines in memory. */
class Lines implements RecordingSink {
  readonly all: string[] = [];
  async append(line: string): Promise<void> {
    this.all.push(line);
  }
  get values(): unknown[] {
    return this.all.map((line): unknown => JSON.parse(line));
  }
}

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const system: Message = { role: "system", text: "You help." };
const asked = (...messages: Message[]): ModelRequest => ({ messages: [system, ...messages], tools: [] });
const ask = (model: ModelConnection, request: ModelRequest, by = signal) =>
  Array.fromAsync(model.stream(request, by));

const invalid = (message: string): StreamPart => ({
  type: "failure",
  failure: { kind: "InvalidRequest", message, retryable: false },
});
const aborted: StreamPart = {
  type: "failure",
  failure: { kind: "Aborted", message: "the request was aborted", retryable: false },
};

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

const script = {
  contextWindow: 5000,
  turns: [
    { reasoning: "so", text: "Let me look at it.", tool_calls: [{ name: "read", arguments: { path: "ä" } }] },
    { error: { kind: "RateLimitError", status: 429, retry_after_ms: 10 } },
    { text: "half", error: { kind: "ConnectionError", after: "text" } },
    { text: "done" },
  ],
};
const requests = [
  asked(user("a")),
  asked(user("a"), user("b")),
  asked(user("a"), user("b")),
  asked(user("c")),
];

describe("a recording", () => {
  test("in a file, read again, replays the same parts under the same id", async () => {
    using tree = new TemporaryTree({});
    const file = tree.at("session.jsonl");
    const recorder = recordModel(scripted(script), { append: (line) => appendFile(file, `${line}\n`) });
    const played: StreamPart[][] = [];
    for (const request of requests) played.push(await ask(recorder, request));
    expect(played[0]?.map(({ type }) => type)).toContain("tool_call");

    const replay = replayModel(readFileSync(file, "utf8").split("\n"), instant);
    const replayed: StreamPart[][] = [];
    for (const request of requests) replayed.push(await ask(replay, request));
    expect(replayed).toEqual(played);
    expect({ ...replay, stream: undefined }).toEqual({
      id: "scripted/demo",
      contextWindow: 5000,
      notices: [],
      stream: undefined,
    });
  });

  test("passes on exactly what the model gives", async () => {
    const [plain, recorded] = [scripted(script), recordModel(scripted(script), new Lines())];
    expect({ id: recorded.id, contextWindow: recorded.contextWindow }).toEqual({
      id: plain.id,
      contextWindow: plain.contextWindow,
    });
    for (const request of requests) expect(await ask(recorded, request)).toEqual(await ask(plain, request));
  });

  test("has a header and a line for each request, with the times of its parts", async () => {
    const lines = new Lines();
    const times = [100, 100.4, 107.8, 90, 120];
    const recorder = recordModel(scripted({ turns: [{ text: "hi" }] }), lines, {
      now: () => times.shift() ?? 0,
    });
    await ask(recorder, asked());
    expect(lines.values).toEqual([
      { codelia_recording: 1, model: "scripted/demo" },
      {
        v: 1,
        n: 1,
        request_sha256: sha256('{"role":"system","text":"You help."}\n'),
        tools_sha256: sha256(""),
        message_count: 1,
        messages: [`system:${sha256('{"role":"system","text":"You help."}').slice(0, 16)}`],
        parts: [
          { at: 0, part: { type: "text_delta", text: "hi" } },
          { at: 8, part: { type: "text_end" } },
          {
            at: 0,
            part: {
              type: "usage",
              usage: { inputTokens: 10, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 1 },
            },
          },
          { at: 20, part: { type: "finish", reason: "stop" } },
        ],
      },
    ]);
  });

  test("holds no text and no image of a request", async () => {
    const lines = new Lines();
    const secret: Message = {
      role: "user",
      content: [
        { type: "text", text: "my-private-text" },
        { type: "image", mediaType: "image/png", data: "bXktcHJpdmF0ZS1pbWFnZQ==" },
      ],
    };
    await ask(recordModel(scripted(script), lines), { ...asked(secret), cacheKey: "my-private-key" });
    expect(lines.all.join("\n")).not.toMatch(/my-private|bXktcHJpdmF0ZS/);
  });

  test("of an aborted request is kept as far as it came, and replays so", async () => {
    const lines = new Lines();
    const recorder = recordModel(scripted({ turns: [{ text: "abc", chunk: 1 }] }), lines);
    const controller = new AbortController();
    const parts: StreamPart[] = [];
    for await (const part of recorder.stream(asked(), controller.signal)) {
      parts.push(part);
      if (parts.length === 2) controller.abort();
    }
    expect(parts).toEqual([{ type: "text_delta", text: "a" }, { type: "text_delta", text: "b" }, aborted]);
    expect(await ask(replayModel(lines.all, instant), asked())).toEqual(parts);
  });

  test("of a request whose reader stopped ends there, and says so when it is replayed further", async () => {
    const lines = new Lines();
    const recorder = recordModel(scripted({ turns: [{ text: "abc", chunk: 1 }] }), lines);
    for await (const _ of recorder.stream(asked(), signal)) break;
    expect(await ask(replayModel(lines.all, instant), asked())).toEqual([
      { type: "text_delta", text: "a" },
      invalid("request 1 was recorded only as far as its reader listened, and ends here"),
    ]);
  });

  test("is whole when its reader has the last part, even if it never comes back", async () => {
    const lines = new Lines();
    const recorder = recordModel(scripted({ turns: [{}] }), lines);
    const reader = recorder.stream(asked(), signal)[Symbol.asyncIterator]();
    await reader.next();
    expect(await reader.next()).toEqual({ done: false, value: { type: "finish", reason: "stop" } });
    expect(lines.all.at(1)).toEndWith('"part":{"type":"finish","reason":"stop"}}]}');
  });

  test("numbers requests at the same time by their beginning, though they end in another order", async () => {
    const lines = new Lines();
    const recorder = recordModel(scripted({ turns: [{ text: "a" }, { text: "b" }] }), lines);
    const first = recorder.stream(asked(user("1")), signal)[Symbol.asyncIterator]();
    expect((await first.next()).value).toEqual({ type: "text_delta", text: "a" });
    const second = await ask(recorder, asked(user("2")));
    while (!(await first.next()).done);
    expect(lines.all.slice(1).map((line) => line.slice(0, 13))).toEqual(['{"v":1,"n":2,', '{"v":1,"n":1,']);
    const replay = replayModel(lines.all, instant);
    expect((await ask(replay, asked(user("1"))))[0]).toEqual({ type: "text_delta", text: "a" });
    expect(await ask(replay, asked(user("2")))).toEqual(second);
  });

  test("that cannot be written fails the request and all later ones, without asking the model again", async () => {
    let calls = 0;
    const model = scripted({ turns: [{ text: "a", chunk: 1 }], after_last: "repeat_last" });
    const counted: ModelConnection = {
      ...model,
      stream: (request, by) => {
        calls += 1;
        return model.stream(request, by);
      },
    };
    using tree = new TemporaryTree({ "log/": "" });
    const recorder = recordModel(counted, { append: async (line) => appendFileSync(tree.at("log"), line) });
    const first = await ask(recorder, asked());
    expect(first.map(({ type }) => type)).toEqual(["text_delta", "text_end", "usage", "failure"]);
    const [last, ...more] = await ask(recorder, asked());
    expect(last).toEqual(first[3]);
    expect(more).toEqual([]);
    expect(last?.type === "failure" && last.failure.message).toMatch(
      /^the recording cannot be written: .*EISDIR.*; go on without it, or make room and start again$/,
    );
    expect(calls).toBe(1);
  });

  test("of a request that is no JSON fails instead of throwing", async () => {
    const content = [{ type: "text" as const, text: "a", providerData: { big: 1n } }];
    const recorder = recordModel(scripted(script), new Lines());
    expect(await ask(recorder, asked({ role: "user", content }))).toEqual([
      invalid("the request is no JSON, so it cannot be recorded"),
    ]);
  });
});
