import { describe, expect, test } from "bun:test";
import type { Message, ModelConnection, ModelRequest, StreamPart } from "@codelia/shared-types";
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

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const toolOutput = (output: string): Message => ({
  role: "tool",
  toolCallId: "call_1_1",
  toolName: "read",
  output,
  isError: false,
});

function ask(model: ModelConnection, ...messages: Message[]): Promise<StreamPart[]> {
  return Array.fromAsync(model.stream(request(...messages), neverAborted));
}

/** The parts without the estimated figures. */
function withoutUsage(parts: readonly StreamPart[]): StreamPart[] {
  return parts.filter(({ type }) => type !== "usage");
}

const aborted: StreamPart = {
  type: "failure",
  failure: { kind: "Aborted", message: "the request was aborted", retryable: false },
};

describe("requests", () => {
  test("of the same kind get the same parts from the same script", async () => {
    const script = {
      turns: [
        { text: "look", tool_calls: [{ name: "read", arguments: { p: 1 } }] },
        { error: { kind: "ConnectionError" } },
        { text: "saw {{last_tool_output:/(\\d+)/}}" },
      ],
    };
    const play = async () => {
      const model = scripted(script);
      return [
        await ask(model, user("hi")),
        await ask(model, user("hi"), toolOutput("12")),
        await ask(model, user("hi"), toolOutput("12")),
      ];
    };
    const first = await play();
    expect(await play()).toEqual(first);
    expect(first[2]?.[0]).toEqual({ type: "text_delta", text: "saw 12" });
  });

  test("at the same time get their turns in the order they began", async () => {
    const model = scripted({ turns: [{ text: "a" }, { text: "b" }] });
    const first = model.stream(request(), neverAborted)[Symbol.asyncIterator]();
    const second = model.stream(request(), neverAborted)[Symbol.asyncIterator]();
    expect([(await first.next()).value, (await second.next()).value]).toEqual([
      { type: "text_delta", text: "a" },
      { type: "text_delta", text: "b" },
    ]);
  });

  test("that are aborted after any part end with Aborted, and the turn is played again", async () => {
    const script = {
      turns: [{ reasoning: "rr", text: "tt", tool_calls: [{ name: "a", arguments: {} }], chunk: 1 }, {}],
    };
    const whole = await ask(scripted(script));
    for (let count = 0; count < whole.length; count += 1) {
      const model = scripted(script);
      const controller = new AbortController();
      if (count === 0) controller.abort();
      const parts: StreamPart[] = [];
      for await (const part of model.stream(request(), controller.signal)) {
        parts.push(part);
        if (parts.length === count) controller.abort();
      }
      expect(parts).toEqual([...whole.slice(0, count), aborted]);
      expect(withoutUsage(await ask(model))).toEqual(withoutUsage(whole));
      expect(withoutUsage(await ask(model))).toEqual([{ type: "finish", reason: "stop" }]);
    }
  });

  test.each([
    ["a timer that ignores the signal", () => new Promise<void>(() => {})],
    [
      "a timer that rejects",
      (_: number, signal: AbortSignal) =>
        new Promise<void>((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("timer aborted")));
        }),
    ],
  ] satisfies [string, Sleep][])("that are aborted during a delay end at once, with %s", async (_, sleep) => {
    const model = scripted({ turns: [{ delay_ms: 60_000, text: "late" }] }, sleep);
    const controller = new AbortController();
    const parts = Array.fromAsync(model.stream(request(), controller.signal));
    controller.abort();
    expect(await parts).toEqual([aborted]);
  });

  test("that were aborted before they began get Aborted, whatever the script says", async () => {
    const model = scripted({ turns: [{ expect: { last_user_contains: "please" }, text: "ok" }] });
    const parts = await Array.fromAsync(model.stream(request(), AbortSignal.abort()));
    expect(parts).toEqual([aborted]);
    expect((await ask(model, user("please")))[0]).toEqual({ type: "text_delta", text: "ok" });
  });

  test("go on when a timer rejects without an abort", async () => {
    const model = scripted({ turns: [{ delay_ms: 5, text: "a" }] }, () =>
      Promise.reject(new Error("no timer")),
    );
    expect((await ask(model))[0]).toEqual({ type: "text_delta", text: "a" });
  });

  test("that failed or were aborted give their turn back even if their reader never returns", async () => {
    const model = scripted({ turns: [{ expect: { last_user_contains: "please" }, text: "ab", chunk: 1 }] });
    const refused = model.stream(request(user("now")), neverAborted)[Symbol.asyncIterator]();
    expect((await refused.next()).value).toMatchObject({ type: "failure" });
    const controller = new AbortController();
    const stopped = model.stream(request(user("please")), controller.signal)[Symbol.asyncIterator]();
    expect((await stopped.next()).value).toEqual({ type: "text_delta", text: "a" });
    controller.abort();
    expect((await stopped.next()).value).toEqual(aborted);
    expect((await ask(model, user("please")))[0]).toEqual({ type: "text_delta", text: "a" });
  });

  test("that are aborted after a later one has begun do not give their turn back", async () => {
    const model = scripted({ turns: [{ text: "1" }, { text: "2" }, { text: "3" }] });
    const controller = new AbortController();
    const first = model.stream(request(), controller.signal)[Symbol.asyncIterator]();
    expect((await first.next()).value).toEqual({ type: "text_delta", text: "1" });
    expect((await ask(model))[0]).toEqual({ type: "text_delta", text: "2" });
    controller.abort();
    expect((await first.next()).value).toEqual(aborted);
    expect((await ask(model))[0]).toEqual({ type: "text_delta", text: "3" });
  });

  test("whose reader leaves late do not take a turn from those that came after", async () => {
    const model = scripted({
      turns: [{ expect: { last_user_contains: "please" }, text: "1" }, { text: "2" }],
    });
    const late = model.stream(request(), neverAborted)[Symbol.asyncIterator]();
    expect((await late.next()).value).toMatchObject({ type: "failure" });
    expect((await ask(model, user("please")))[0]).toEqual({ type: "text_delta", text: "1" });
    expect(await late.next()).toEqual({ done: true, value: undefined });
    expect((await ask(model))[0]).toEqual({ type: "text_delta", text: "2" });
  });

  test("whose reader stops early give their turn back", async () => {
    const model = scripted({ turns: [{ text: "abc", chunk: 1 }] });
    for await (const part of model.stream(request(), neverAborted)) {
      expect(part).toEqual({ type: "text_delta", text: "a" });
      break;
    }
    expect(withoutUsage(await ask(model)).at(0)).toEqual({ type: "text_delta", text: "a" });
  });

  test("that are no JSON fail instead of throwing", async () => {
    const model = scripted({ turns: [{}] });
    const content = [{ type: "text" as const, text: "a", providerData: { big: 1n } }];
    const [failure, ...more] = await ask(model, { role: "user", content });
    expect(more).toEqual([]);
    expect(failure?.type === "failure" && failure.failure.kind).toBe("InvalidRequest");
  });
});
