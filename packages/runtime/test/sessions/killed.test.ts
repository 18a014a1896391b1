import { describe, expect, test } from "bun:test";
import { cpSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionRecord } from "@codelia/shared-types";
import {
  journalLines,
  outputsOf,
  requireValid,
  type SceneRun,
  SessionScene,
  userTexts,
} from "./session-scene.ts";

const tree = {
  "repo/AGENTS.md": "Root rules.\n",
  "repo/sub/AGENTS.md": "Sub rules.\n",
  "repo/sub/file.txt": "one\ntwo\n",
  "repo/b.txt": "b\n",
};

const tools = (...calls: readonly (readonly [name: string, args: unknown])[]) => ({
  tool_calls: calls.map(([name, args]) => ({ name, arguments: args })),
});

/** Reads side by side, edits, commands, an unknown tool, a compaction. */
const turns = [
  tools(["read", { path: "sub/file.txt" }], ["read", { path: "b.txt" }], ["list", { path: "." }]),
  tools(
    ["edit", { path: "sub/file.txt", old: "one", new: "three" }],
    ["bash", { command: "echo ran >> effects; head -c 30000 /dev/zero | tr '\\0' x" }],
    ["nothing", {}],
    ["todo", { items: [{ text: "a", state: "open" }] }],
  ),
  tools(["bash", { command: "echo ran >> effects; head -c 30000 /dev/zero | tr '\\0' y" }]),
  { text: "What was done.", expect: { last_user_contains: "about to be compacted" } },
  tools(["write", { path: "new.txt", content: "new\n" }]),
  { text: "Finished." },
];

const go = { window: 18_000 };

/** The session as it would be had the program ended after this many records. */
function cutAfter(scene: SessionScene, { directory }: SceneRun, records: number): string {
  const copy = scene.tree.at(`cut-${records}`);
  cpSync(directory, copy, { recursive: true });
  const lines = journalLines(directory).slice(0, records);
  truncateSync(join(copy, "journal.jsonl"), Buffer.byteLength(lines.map((line) => `${line}\n`).join("")));
  return copy;
}

function effects(scene: SessionScene): string {
  return readFileSync(scene.tree.at("repo/effects"), "utf8");
}

describe("a session whose program was ended", () => {
  test("between any two records goes on with a sound conversation, and runs nothing again", async () => {
    using scene = new SessionScene(tree);
    const whole = await scene.run("do it", turns, go);
    const records = await scene.records(whole.directory);
    expect([whole.result.outcome, records.filter(({ type }) => type === "compaction").length]).toEqual([
      { status: "done" },
      1,
    ]);
    expect(effects(scene)).toBe("ran\nran\n");
    for (let count = 1; count <= records.length; count++) {
      const directory = cutAfter(scene, whole, count);
      const again = await scene.run("go on", [{ text: "I see." }], { directory });
      expect([count, again.result.outcome, again.notices]).toEqual([count, { status: "done" }, []]);
      const messages = again.requests.at(-1)?.messages ?? [];
      requireValid(messages);
      expect(userTexts(messages).at(-1)).toBe("go on");
      expect([count, interruptions(messages)]).toEqual([
        count,
        expectedInterruptions(records.slice(0, count)),
      ]);
      // And once more, as if nothing had happened.
      const third = await scene.run("and on", [{ text: "Yes." }], { directory });
      requireValid(third.requests.at(-1)?.messages ?? []);
    }
    expect(effects(scene)).toBe("ran\nran\n");
    expect(readFileSync(scene.tree.at("repo/sub/file.txt"), "utf8")).toBe("three\ntwo\n");
  });

  test("within a record is told so, keeps everything before it, and the rest is set aside", async () => {
    using scene = new SessionScene(tree);
    const whole = await scene.run("do it", [tools(["read", { path: "b.txt" }]), { text: "Finished." }]);
    const lines = journalLines(whole.directory);
    const directory = cutAfter(scene, whole, lines.length);
    const journal = join(directory, "journal.jsonl");
    truncateSync(journal, readFileSync(journal).length - 5);
    const again = await scene.run("go on", [{ text: "I see." }], { directory });
    expect(again.result.text).toBe("I see.");
    expect(again.notices).toEqual([
      expect.stringMatching(
        /^The session's journal is damaged from record \d+ on \(torn\): \d+ bytes could not be used, everything before them is there\. They were set aside in .*\.$/,
      ),
    ]);
  });

  test("does not count as having seen a file whose content never reached the model", async () => {
    using scene = new SessionScene(tree);
    const whole = await scene.run("do it", [
      tools(["read", { path: "sub/file.txt" }], ["read", { path: "b.txt" }]),
      { text: "Finished." },
    ]);
    const records = await scene.records(whole.directory);
    const first = records.findIndex(({ type }) => type === "message.tool");
    const directory = cutAfter(scene, whole, first + 1);
    const { requests } = await scene.run(
      "go on",
      [
        tools(
          ["write", { path: "b.txt", content: "lost" }],
          ["write", { path: "sub/file.txt", content: "x" }],
        ),
        { text: "ok" },
      ],
      { directory },
    );
    expect(outputsOf(requests[1]?.messages).slice(-2)).toEqual([
      "You have not read b.txt. Nothing was changed; read it first, then repeat.",
      "Overwrote sub/file.txt: 1 byte, 1 line.\n",
    ]);
  });
});

function interruptions(messages: Parameters<typeof outputsOf>[0]): string[] {
  return outputsOf(messages).flatMap((output) => /^Interrupted\. (.*?)\./.exec(output)?.[1] ?? []);
}

/** From the records alone: calls of the last answer without a result, and how far they got. */
function expectedInterruptions(records: readonly SessionRecord[]): string[] {
  const last = records.findLastIndex(({ type }) => type === "message.assistant");
  const answer = records[last];
  if (answer?.type !== "message.assistant") return [];
  const later = records.slice(last);
  return answer.message.content.flatMap((part) => {
    if (part.type !== "tool_call") return [];
    const isAnswered = later.some(
      (each) => each.type === "message.tool" && each.message.toolCallId === part.id,
    );
    if (isAnswered) return [];
    const intent = later.find((each) => each.type === "tool.intent" && each.callId === part.id);
    if (intent?.type !== "tool.intent") return ["The session ended before this call was started"];
    return [
      intent.effect
        ? "The session ended while this call was under way"
        : "The session ended before this call had ended",
    ];
  });
}

describe("a file that was read before the program ended", () => {
  test("can be edited without being read again, unless somebody changed it", async () => {
    using scene = new SessionScene(tree);
    const { id } = await scene.run("read", [
      tools(["read", { path: "sub/file.txt" }], ["read", { path: "b.txt" }]),
      { text: "Read." },
    ]);
    writeFileSync(scene.tree.at("repo/b.txt"), "somebody was here\n");
    const { requests } = await scene.run(
      "edit",
      [
        tools(
          ["edit", { path: "sub/file.txt", old: "one", new: "three" }],
          ["edit", { path: "b.txt", old: "b", new: "c" }],
          ["edit", { path: "AGENTS.md", old: "Root", new: "No" }],
        ),
        { text: "Edited." },
      ],
      { session: { how: "resume", id } },
    );
    expect(outputsOf(requests[1]?.messages).slice(-3)).toEqual([
      "Edited sub/file.txt: 1 replacement, now line 1.\n",
      "b.txt has changed since you read it. Nothing was changed; read it again, then repeat.",
      "You have not read AGENTS.md. Nothing was changed; read it first, then repeat.",
    ]);
  });
});
