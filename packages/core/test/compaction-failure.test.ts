import { describe, expect, test } from "bun:test";
import type { StreamPart } from "@codelia/shared-types";
import { CompactionScene, failing } from "./compaction-scene.ts";
import { calling, saying } from "./fake-connection.ts";
import { userText } from "./session-records.ts";

const window = 10_000;

function filled(scene: CompactionScene): StreamPart[][] {
  return Array.from({ length: 5 }, () => scene.look(7500));
}

const text: StreamPart = { type: "text_delta", text: "Half a" };

describe("a summary that fails", () => {
  test.each([
    ["an error", failing("RateLimitError", "slow down"), "RateLimitError: slow down"],
    ["an empty answer", saying(""), "the model gave no summary"],
    ["blanks", saying(" \n\t"), "the model gave no summary"],
    ["a tool call", calling(["x", "look", {}]), "the model called a tool instead of summing up"],
    [
      "a tool call after some words",
      [text, ...calling(["x", "look", {}])],
      "the model called a tool instead of summing up",
    ],
    [
      "an answer cut at its length",
      [text, { type: "finish", reason: "length" }],
      "the summary was cut at the model's output limit",
    ],
    [
      "an answer that was withheld",
      [text, { type: "finish", reason: "content_filter" }],
      "the provider withheld the summary",
    ],
    ["a broken stream", [text], "ConnectionError: the response ended without an end"],
  ] satisfies [string, StreamPart[], string][])(
    "because of %s is said and recorded, and the run goes on with the conversation as it was",
    async (_, summary, reason) => {
      const scene = new CompactionScene(window);
      const result = await scene.run("do it", {
        turns: [...filled(scene), scene.look(10), scene.look(10)],
        summaries: [summary],
      });
      expect([result.outcome, result.text, result.turns]).toEqual([{ status: "done" }, "done", 8]);
      // Not tried again at each turn.
      expect(scene.summaryRequests.length).toBe(1);
      expect(scene.events.filter(({ type }) => type === "compaction.failed")).toEqual([
        { type: "compaction.failed", reason },
      ]);
      expect(scene.records.filter(({ type }) => type.startsWith("compaction"))).toMatchObject([
        { type: "compaction.failed", trigger: "threshold", reason },
      ]);
      expect(scene.requests.at(-1)?.messages.length).toBe(1 + 1 + 2 * 7);
      expect(scene.refreshed).toBe(0);
    },
  );

  test("is tried again once the context has grown", async () => {
    const scene = new CompactionScene(window);
    await scene.run("do it", {
      turns: [...filled(scene), scene.look(10), scene.look(2400)],
      summaries: [failing("ConnectionError"), saying("A summary.")],
    });
    expect(scene.records.flatMap(({ type }) => (type.startsWith("compaction") ? [type] : []))).toEqual([
      "compaction.failed",
      "compaction",
    ]);
  });

  test("still counts what it used", async () => {
    const scene = new CompactionScene(window);
    const { usage } = await scene.run("do it", { turns: filled(scene), summaries: [saying("")] });
    expect([usage.inputTokens, usage.outputTokens]).toEqual([10, 2]);
    expect(scene.records.find(({ type }) => type === "compaction.failed")).toMatchObject({ usage });
  });
});

describe("an abort while a summary is made", () => {
  test.each([
    ["told as such", failing("Aborted")],
    ["told as a broken connection", failing("ConnectionError")],
  ])("ends the run as interrupted without a record of it: %s", async (_, parts) => {
    const abort = new AbortController();
    const scene = new CompactionScene(window);
    const summary = () => {
      abort.abort();
      return parts;
    };
    const result = await scene.run(
      "do it",
      { turns: filled(scene), summaries: [summary] },
      { signal: abort.signal },
    );
    expect(result.outcome).toEqual({ status: "interrupted" });
    expect(scene.records.at(-1)).toEqual({ type: "run.end", status: "interrupted" });
    expect(scene.records.filter(({ type }) => type.startsWith("compaction"))).toEqual([]);
    expect(scene.log.conversation.messages.length).toBe(11);
  });

  test("after an overflow does the same", async () => {
    const abort = new AbortController();
    const scene = new CompactionScene(undefined);
    const summary = () => {
      abort.abort();
      return failing("Aborted");
    };
    const turns = [scene.look(4000), scene.look(4000), failing("ContextOverflow")];
    const result = await scene.run("do it", { turns, summaries: [summary] }, { signal: abort.signal });
    expect(result.outcome).toEqual({ status: "interrupted" });
    expect(scene.records.filter(({ type }) => type.startsWith("compaction"))).toEqual([]);
  });
});

test("what the user said in the last moment of a run is kept, however the run ends", async () => {
  const scene = new CompactionScene(undefined);
  const steering = [userText("before")];
  const last = () => {
    steering.push(userText("too late"));
    return failing("AuthError");
  };
  await scene.run("do it", { turns: [last] }, { steering });
  expect(scene.records.slice(-3)).toMatchObject([
    { type: "request.failed" },
    { type: "message.user", message: userText("too late"), steering: true },
    { type: "run.end", status: "failed" },
  ]);
});
