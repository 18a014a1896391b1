// Retry: when, how long to wait, when to give up; a consumer can always tell what is void.
import { describe, expect, test } from "bun:test";
import { type RetryPolicy, withRetry } from "@codelia/models";
import type { ModelConnection, ModelFailure, StreamPart } from "@codelia/shared-types";
import {
  collect,
  connectionTo,
  expectedParts,
  hello,
  usage,
  WireServer,
  wires,
  written,
} from "./wire/index.ts";

const broken: ModelFailure = { kind: "ConnectionError", message: "broken", retryable: true };
const delta: StreamPart = { type: "text_delta", text: "Hel" };
const finish: StreamPart = { type: "finish", reason: "stop" };
const abortedPart: StreamPart = {
  type: "failure",
  failure: { kind: "Aborted", message: "The request was ended before it was complete.", retryable: false },
};

function failing(failure: ModelFailure): StreamPart {
  return { type: "failure", failure };
}

/** Gives one answer after the other, and counts. */
function connectionOf(
  ...answers: readonly (readonly StreamPart[])[]
): ModelConnection & { readonly asked: () => number } {
  let asked = 0;
  return {
    id: "fake/model",
    contextWindow: 1000,
    asked: () => asked,
    async *stream() {
      asked += 1;
      yield* answers[asked - 1] ?? [failing(broken)];
    },
  };
}

interface Trial {
  readonly parts: StreamPart[];
  readonly waits: number[];
}

interface TrialOptions {
  readonly random?: () => number;
  readonly ending?: AbortController;
  readonly onSleep?: () => void;
}

/** Time passes only by sleeping. */
async function tryOut(
  connection: ModelConnection,
  policy: Partial<RetryPolicy> = {},
  { random = () => 0.5, ending = new AbortController(), onSleep = () => {} }: TrialOptions = {},
): Promise<Trial> {
  const waits: number[] = [];
  let now = 1_000_000;
  const sleep = async (ms: number) => {
    waits.push(ms);
    now += ms;
    onSleep();
  };
  const parts = await collect(
    withRetry(connection, policy, { random, sleep, now: () => now }),
    hello,
    ending.signal,
  );
  return { parts, waits };
}

describe("withRetry", () => {
  test("passes an answer through, with the connection's id and window", async () => {
    const connection = connectionOf([delta, finish]);
    const { id, contextWindow } = withRetry(connection);
    expect([await tryOut(connection), id, contextWindow]).toEqual([
      { parts: [delta, finish], waits: [] },
      "fake/model",
      1000,
    ]);
  });

  test("sends one restart after a failure in the middle, then the whole answer anew", async () => {
    const { parts, waits } = await tryOut(connectionOf([delta, failing(broken)], [delta, finish]));
    expect(parts).toEqual([
      delta,
      { type: "restart", attempt: 2, failure: broken, delayMs: 250 },
      delta,
      finish,
    ]);
    expect(waits).toEqual([250]);
  });

  test("waits at random below a ceiling that doubles up to its maximum, then gives up", async () => {
    const policy = { maxAttempts: 6, baseDelayMs: 100, maxDelayMs: 500 };
    const connection = connectionOf();
    const { parts, waits } = await tryOut(connection, policy, { random: () => 0.99 });
    expect(waits).toEqual([99, 198, 396, 495, 495]);
    expect(parts.at(-1)).toEqual(failing(broken));
    expect(parts.filter(({ type }) => type === "restart").length).toBe(5);
    expect(connection.asked()).toBe(6);
    expect((await tryOut(connectionOf(), policy, { random: () => 0 })).waits).toEqual([0, 0, 0, 0, 0]);
  });

  test("waits as long as the server asks, up to a cap, and a little longer at random", async () => {
    const limited = (retryAfterMs: number): StreamPart[] => [
      failing({ kind: "RateLimitError", message: "slow", status: 429, retryAfterMs, retryable: true }),
    ];
    const connection = connectionOf(limited(7000), limited(3_600_000), [finish]);
    const { waits } = await tryOut(connection, { baseDelayMs: 100, maxRetryAfterMs: 60_000 });
    expect(waits).toEqual([7050, 60_050]);
  });

  test("passes a failure that will not pass on at once", async () => {
    const refused: ModelFailure = { kind: "AuthError", message: "no", status: 401, retryable: false };
    const connection = connectionOf([failing(refused)]);
    expect(await tryOut(connection)).toEqual({ parts: [failing(refused)], waits: [] });
    expect(connection.asked()).toBe(1);
  });

  test("gives up when the next wait would end too late", async () => {
    const policy = { maxAttempts: 100, baseDelayMs: 1000, maxDelayMs: 1000, maxTotalMs: 2600 };
    const { parts, waits } = await tryOut(connectionOf(), policy, { random: () => 0.999 });
    expect(waits).toEqual([999, 999]);
    expect(parts.at(-1)).toEqual(failing(broken));
  });

  test("ends at once when it is aborted while it waits", async () => {
    const ending = new AbortController();
    const connection = connectionOf();
    const { parts } = await tryOut(connection, {}, { ending, onSleep: () => ending.abort() });
    expect(parts).toEqual([{ type: "restart", attempt: 2, failure: broken, delayMs: 250 }, abortedPart]);
    expect(connection.asked()).toBe(1);
  });

  test("does not wait at all when the consumer aborts on the restart", async () => {
    const ending = new AbortController();
    const parts: StreamPart[] = [];
    const connection = withRetry(connectionOf(), { baseDelayMs: 1e9, maxDelayMs: 1e9, maxTotalMs: 1e12 });
    for await (const part of connection.stream(hello, ending.signal)) {
      parts.push(part);
      if (part.type === "restart") ending.abort();
    }
    expect(parts.at(-1)).toEqual(abortedPart);
  });

  test("really sleeps, and an abort ends the sleep", async () => {
    const ending = new AbortController();
    const connection = withRetry(
      connectionOf(),
      { baseDelayMs: 1e6, maxDelayMs: 1e6, maxTotalMs: 1e12 },
      { random: () => 0.9 },
    );
    setTimeout(() => ending.abort(), 10);
    expect((await collect(connection, hello, ending.signal)).at(-1)).toEqual(abortedPart);
  });

  test("treats an answer that just ends as a broken connection", async () => {
    const { parts } = await tryOut(connectionOf([delta], [finish]));
    expect(parts.map(({ type }) => type)).toEqual(["text_delta", "restart", "finish"]);
  });
});

for (const wire of wires) {
  test(`${wire.kind}: an overloaded provider is asked again until it answers`, async () => {
    const { status, body } = wire.trouble("overloaded", "Overloaded");
    const answer = { parts: [{ type: "text", deltas: ["Hello"] }], finish: "stop", usage } as const;
    const reply = { status, headers: { "retry-after": "2" }, body: [body] };
    await using server = await WireServer.start(wire.schema, reply, { body: [written(wire, answer)] });
    const { parts, waits } = await tryOut(connectionTo(server, wire));
    const failure: ModelFailure = {
      kind: "ConnectionError",
      message: `test: Overloaded (HTTP ${status}).`,
      status,
      retryAfterMs: 2000,
      retryable: true,
    };
    expect(parts).toEqual([
      { type: "restart", attempt: 2, failure, delayMs: 2250 },
      ...expectedParts(wire, answer),
    ]);
    expect(waits).toEqual([2250]);
    expect(server.requests[1]?.text).toBe(server.requests[0]?.text ?? "");
  });
}
