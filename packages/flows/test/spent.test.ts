// What queries took that ended without an answer, and where the next one goes on.
import { expect, test } from "bun:test";
import { ConnectionError, ExecutionError, SessionExpired } from "@codelia/flows";
import type { Usage } from "@codelia/shared-types";
import { runFlow, startedFlow, way } from "./support/flow.ts";
import { hang } from "./support/scripted-bridge.ts";
import { longMs } from "./support/test-clock.ts";

const usage = (inputTokens: number, outputTokens: number): Usage => ({
  inputTokens,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens,
});

test("what a failed query used counts, and the next attempt goes on in its session", async () => {
  using flow = await runFlow({
    steps: { a: {} },
    answer: (_, count) =>
      count === 1
        ? new ConnectionError("down", { spent: { usage: usage(100, 7), costUsd: 2, session: "begun" } })
        : "ok",
  });
  const [summary] = flow.result.summaries;
  expect([summary?.usage, summary?.costUsd, summary?.queries]).toEqual([usage(110, 12), 2.25, 2]);
  expect(flow.bridge.asked.map(({ session }) => session)).toEqual([undefined, "begun"]);
});

test("what an iteration used that failed for good counts for the limits", async () => {
  using flow = await runFlow({
    steps: { a: {} },
    agent: { limits: { tokens: 100 } },
    answer: () =>
      new ExecutionError("TurnLimit", "too many turns", {
        recoverable: true,
        spent: { usage: usage(90, 10) },
      }),
  });
  expect([flow.result.failure?.code, flow.result.usage, way(flow.result)]).toEqual([
    "TokenLimit",
    usage(90, 10),
    ["a.1.1 -"],
  ]);
});

test("an expired session is not offered again after a time-out in the same iteration", async () => {
  using flow = await startedFlow({
    steps: { a: { limits: { timeMs: longMs }, output: { k: { type: "string" } } } },
    answer: (_, count) => {
      if (count === 2) return new SessionExpired("gone");
      if (count !== 3) return count === 1 ? "no output" : "k: v";
      queueMicrotask(() => flow.clock.pass(longMs));
      return hang;
    },
  });
  const result = await flow.execution.run();
  expect(flow.bridge.asked.map(({ session }) => session)).toEqual([
    undefined,
    "session-1",
    undefined,
    undefined,
  ]);
  expect(way(result)).toEqual(["a.1.1 -", "a.1.2 -", "a.1.3 +"]);
});
