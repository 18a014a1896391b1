import { describe, expect, test } from "bun:test";
import type { StreamPart, Usage } from "@codelia/shared-types";
import { bytesOf, CompactionScene, failing, isExtension, isForSummary, textsOf } from "./compaction-scene.ts";
import { calling, saying } from "./fake-connection.ts";

const window = 10_000;
/** About 1,750 tokens: the fifth reaches 85 of 100, and the request for a summary still fits. */
const large = 7000;

/** Looks so often that the next request reaches the threshold. */
function filling(scene: CompactionScene): StreamPart[][] {
  return Array.from({ length: 5 }, () => scene.look(large));
}

function compactionEvents(scene: CompactionScene): string[] {
  return scene.events.flatMap((event) => (event.type.startsWith("compaction.") ? [event.type] : []));
}

describe("at the threshold", () => {
  test("the model is asked for a summary behind the last request, and the run goes on with it and the last turn", async () => {
    const scene = new CompactionScene(window);
    const result = await scene.run("do it", { turns: filling(scene), summaries: [saying("What was done.")] });
    expect(result).toMatchObject({ outcome: { status: "done" }, text: "done", turns: 6 });
    const [summary, after] = scene.requests.slice(5);
    if (summary === undefined || after === undefined) throw new Error("there are no such requests");
    expect([scene.requests.length, isForSummary(summary)]).toEqual([7, true]);
    expect(after.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
    expect(textsOf(after.messages[1])).toEqual([
      "<compacted_conversation>\nThe conversation up to here was left out to make room; this stands for it. What follows this message is unchanged.\n\nSummary:\nWhat was done.",
      "The user's message 1 of 1 that were left out, verbatim:",
      "do it",
      "</compacted_conversation>",
    ]);
    expect(bytesOf(after).slice(2)).toEqual(bytesOf(summary).slice(-3, -1));
    expect([compactionEvents(scene), scene.refreshed]).toEqual([
      ["compaction.started", "compaction.finished"],
      1,
    ]);
  });

  test("the request for a summary extends the last request byte for byte, with the same tools", async () => {
    const scene = new CompactionScene(window);
    await scene.run("do it", { turns: filling(scene) });
    const [last, summary] = scene.requests.slice(4);
    if (last === undefined || summary === undefined) throw new Error("there are no such requests");
    expect(isExtension(summary, last)).toBe(true);
    expect([summary.tools, summary.cacheKey]).toEqual([last.tools, last.cacheKey]);
  });

  test("the record is on disk before the next request", async () => {
    const scene = new CompactionScene(window);
    await scene.run("do it", { turns: filling(scene) });
    const at = scene.records.findIndex(({ type }) => type === "compaction");
    expect(scene.store.flushedAt[0]).toBe(at + 1);
    expect(scene.records.slice(at + 1).map(({ type }) => type)).toEqual([
      "request",
      "message.assistant",
      "run.end",
    ]);
  });

  test("nothing happens below it, nor where the window is not known", async () => {
    for (const [size, looks] of [
      [window, 4],
      [undefined, 40],
    ] as const) {
      const scene = new CompactionScene(size);
      await scene.run("do it", { turns: filling(scene).slice(0, looks) });
      expect([scene.summaryRequests.length, compactionEvents(scene)]).toEqual([0, []]);
    }
  });

  test("what the provider counted goes before the estimate", async () => {
    const usage: Usage = { inputTokens: 8490, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 20 };
    const scene = new CompactionScene(window);
    await scene.run("a", { turns: [scene.look(large), [{ type: "usage", usage }, ...scene.look(large)]] });
    expect(scene.summaryRequests.length).toBe(1);
  });

  test("afterwards every request extends the one before it again", async () => {
    const scene = new CompactionScene(window);
    const more = [scene.look(40), scene.look(40, 50), scene.look(60)];
    await scene.run("do it", { turns: [...filling(scene), ...more] });
    await scene.run("and this", { turns: [scene.look(30)] });
    const epoch = scene.requests.slice(6);
    expect([scene.summaryRequests.length, epoch.length]).toEqual([1, 6]);
    for (const [index, request] of epoch.slice(1).entries()) {
      expect(isExtension(request, epoch[index] ?? request)).toBe(true);
    }
  });

  test("the usage and the cost of a summary count", async () => {
    const counted = (inputTokens: number): StreamPart => ({
      type: "usage",
      usage: { inputTokens, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 20 },
    });
    const scene = new CompactionScene(window);
    const result = await scene.run("do it", {
      turns: [
        [counted(1000), ...scene.look(large)],
        [counted(8490), ...scene.look(large)],
        [counted(500), ...scene.done],
      ],
    });
    expect([scene.summaryRequests.length, result.usage, result.costUsd]).toEqual([
      1,
      { inputTokens: 10_000, cachedInputTokens: 4, cacheWriteTokens: 0, outputTokens: 62 },
      10,
    ]);
    const record = scene.records.find(({ type }) => type === "compaction");
    expect(record?.type === "compaction" ? record.usage : undefined).toEqual({
      inputTokens: 10,
      cachedInputTokens: 4,
      cacheWriteTokens: 0,
      outputTokens: 2,
    });
  });
});

describe("outputs of a last turn that is too large", () => {
  test("are shortened, kept whole by reference, and the model is told", async () => {
    const scene = new CompactionScene(window);
    const result = await scene.run("do it", { turns: [scene.look(16_000, 1500, 20_000)] });
    expect(result.outcome).toEqual({ status: "done" });
    expect(scene.kept).toEqual(["o".repeat(16_000), "o".repeat(20_000)]);
    const outputs = scene.requests
      .at(-1)
      ?.messages.flatMap((message) => (message.role === "tool" ? [message.output] : []));
    expect(outputs).toEqual([
      `${"o".repeat(1024)}\n<system-reminder type="tool.output.trimmed">\nThis output was shortened to make room: 1024 of 16000 characters are left. The whole: tool_output_read or tool_output_search with ref ref-0.\n</system-reminder>`,
      "o".repeat(1500),
      `${"o".repeat(1024)}\n<system-reminder type="tool.output.trimmed">\nThis output was shortened to make room: 1024 of 20000 characters are left. The whole: tool_output_read or tool_output_search with ref ref-1.\n</system-reminder>`,
    ]);
  });

  test("are named by the ref that they already have", async () => {
    const scene = new CompactionScene(window);
    await scene.run("do it", { turns: [scene.look(60_000)] });
    expect(scene.kept).toEqual(["o".repeat(60_000)]);
    const last = scene.requests.at(-1)?.messages.at(-1);
    expect(last?.role === "tool" && last.output).toContain("with ref ref-0.");
  });
});

describe("a context that cannot be made smaller", () => {
  test("is said once, and the run goes on", async () => {
    const scene = new CompactionScene(window);
    const result = await scene.run("p".repeat(36_000), { turns: [scene.look(10), scene.look(10)] });
    expect([result.outcome, scene.summaryRequests.length]).toEqual([{ status: "done" }, 0]);
    expect(scene.events.filter(({ type }) => type === "compaction.failed")).toEqual([
      {
        type: "compaction.failed",
        reason: "there is nothing to leave out: the instructions and the last turns alone fill the window",
      },
    ]);
  });

  test("ends the run when the provider refuses it", async () => {
    const scene = new CompactionScene(window);
    const result = await scene.run("go", { turns: [failing("ContextOverflow", "too long")] });
    expect(result.outcome).toEqual({
      status: "failed",
      failure: { kind: "ContextOverflow", message: "too long", retryable: false },
    });
    expect([scene.requests.length, compactionEvents(scene)]).toEqual([
      1,
      ["compaction.started", "compaction.failed"],
    ]);
  });
});

describe("without compaction", () => {
  test("the run ends at the threshold, and says how to go on", async () => {
    const scene = new CompactionScene(window);
    const result = await scene.run("do it", { turns: filling(scene) }, { enabled: false });
    expect(result.outcome).toEqual({
      status: "limit",
      limit: "context",
      message:
        "The context is full: the next request takes about 8922 of 10000 tokens, and --no-compact was given. Go on with compaction by leaving that out.",
    });
    expect([scene.requests.length, compactionEvents(scene)]).toEqual([5, []]);
  });

  test("a request that the provider refuses ends the run as it is", async () => {
    const scene = new CompactionScene(undefined);
    const turns = [scene.look(large), scene.look(large), failing("ContextOverflow", "too long")];
    const result = await scene.run("do it", { turns }, { enabled: false });
    expect(result.outcome).toMatchObject({ status: "failed", failure: { message: "too long" } });
    expect([scene.requests.length, compactionEvents(scene)]).toEqual([3, []]);
  });
});

describe("a request that the provider refuses as too large", () => {
  test("is sent once more after a compaction, with its outputs cut for the summary until that fits", async () => {
    const scene = new CompactionScene(undefined);
    const write = calling(["w", "look", { characters: 1, content: "c".repeat(9000) }]);
    const turns = [write, scene.look(20_000), scene.look(20_000), failing("ContextOverflow")];
    const result = await scene.run("do it", {
      turns,
      summaries: [failing("ContextOverflow"), failing("ContextOverflow"), saying("Short.")],
    });
    expect([result.outcome, result.turns]).toEqual([{ status: "done" }, 4]);
    const outputs = scene.summaryRequests.map(({ messages }) =>
      messages.flatMap((message) => (message.role === "tool" ? [message.output.length] : [])).slice(1),
    );
    expect(outputs).toEqual([8192, 1024, 128].map((limit) => [limit + 4, limit + 4]));
    const calls = scene.summaryRequests[2]?.messages.flatMap((message) =>
      message.role === "assistant"
        ? message.content.flatMap((part) => (part.type === "tool_call" ? [part.arguments] : []))
        : [],
    );
    expect(calls).toEqual([
      JSON.stringify({ cut: `{"characters":1,"content":"${"c".repeat(101)}\n[…]` }),
      '{"characters":20000}',
      '{"characters":20000}',
    ]);
    expect(compactionEvents(scene)).toEqual(["compaction.started", "compaction.finished"]);
    // What was cut for the summary stays whole in the conversation that is kept.
    expect(scene.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
    ]);
  });

  test("twice in a row ends the run as failed", async () => {
    const scene = new CompactionScene(window);
    const turns = [
      scene.look(4000),
      scene.look(4000),
      failing("ContextOverflow"),
      failing("ContextOverflow", "still"),
    ];
    const result = await scene.run("do it", { turns });
    expect(result.outcome).toEqual({
      status: "failed",
      failure: { kind: "ContextOverflow", message: "still", retryable: false },
    });
    expect([scene.requests.length, scene.summaryRequests.length]).toEqual([5, 1]);
    expect(scene.records.slice(-2)).toEqual([
      {
        type: "request.failed",
        turn: 3,
        failure: { kind: "ContextOverflow", message: "still", retryable: false },
      },
      { type: "run.end", status: "failed" },
    ]);
  });

  test("ends the run when not even cut outputs fit, and leaves the conversation as it was", async () => {
    const scene = new CompactionScene(undefined);
    const turns = [scene.look(9000), scene.look(9000), failing("ContextOverflow", "too long")];
    const result = await scene.run("do it", { turns, summaries: [failing("ContextOverflow")] });
    expect(result.outcome).toMatchObject({ status: "failed", failure: { message: "too long" } });
    expect(scene.events.filter(({ type }) => type === "compaction.failed")).toEqual([
      {
        type: "compaction.failed",
        reason: "the conversation does not fit into the model's window, not even with its outputs cut",
      },
    ]);
    expect(scene.summaryRequests.length).toBe(3);
    expect(scene.log.conversation.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
    ]);
  });
});
