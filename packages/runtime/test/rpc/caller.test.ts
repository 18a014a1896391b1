import { expect, test } from "bun:test";
import type { ConfirmResult } from "@codelia/protocol";
import type { ModelConnection } from "@codelia/shared-types";
import { paced, untilAborted } from "../../src/rpc/caller.ts";

const talker: ModelConnection = {
  id: "test/talker",
  contextWindow: undefined,
  async *stream() {
    for (const text of ["a", "b", "c"]) yield await Promise.resolve({ type: "text_delta" as const, text });
  },
};

const question = { call_id: "1", tool: "bash", title: "", detail: "ls", why: "it is" };

test("a model waits after each part until its listener has room", async () => {
  const waits: (() => void)[] = [];
  const room = () => new Promise<void>((resolve) => waits.push(resolve));
  const { signal } = new AbortController();
  const parts = paced(talker, { room }).stream({ messages: [], tools: [], cacheKey: "" }, signal);
  const reading = parts[Symbol.asyncIterator]();
  const seen: unknown[] = [(await reading.next()).value];
  let isThere = false;
  const next = reading.next().then(({ value }) => {
    isThere = true;
    seen.push(value);
  });
  while (waits.length === 0) await Promise.resolve();
  expect([isThere, seen]).toEqual([false, [{ type: "text_delta", text: "a" }]]);
  waits[0]?.();
  await next;
  expect(seen).toEqual([
    { type: "text_delta", text: "a" },
    { type: "text_delta", text: "b" },
  ]);
});

test("a listener that takes everything at once has the model itself", () => {
  expect(paced(talker, {})).toBe(talker);
});

test("a question ends with its run, also one that comes too late", async () => {
  const run = new AbortController();
  const asked: boolean[] = [];
  const never = (_: unknown, signal?: AbortSignal) => {
    signal?.addEventListener("abort", () => asked.push(true));
    return new Promise<ConfirmResult>(() => undefined);
  };
  const answer = untilAborted(never, run.signal)?.(question).catch((error: Error) => error.message);
  run.abort();
  expect([await answer, asked]).toEqual(["the run was cancelled", [true]]);
  const late = untilAborted(never, run.signal)?.(question).catch((error: Error) => error.message);
  expect(await late).toBe("the run was cancelled");
  expect(untilAborted(undefined, run.signal)).toBeUndefined();
});
