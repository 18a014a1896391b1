import { describe, expect, test } from "bun:test";
import { Conversation, foldAgentsRecords, interruptedResult, SessionLog } from "@codelia/core";
import type { SessionRecord } from "@codelia/shared-types";
import { memoryHistory } from "../../../test/support/memory-history.ts";
import {
  answer,
  compaction,
  context,
  entriesOf,
  initialAgents,
  moved,
  presented,
  reminder,
  result,
  user,
  userText,
} from "./session-records.ts";

function conversation(...records: readonly SessionRecord[]): Conversation {
  return new Conversation(entriesOf(records));
}

function ids(folded: Conversation): string[] {
  return folded.openCalls.map(({ id }) => id);
}

describe("a conversation", () => {
  test("holds what the model sees, in order, and nothing of the other records", () => {
    const call = answer("looking", "c1");
    const folded = conversation(
      context,
      user("do it"),
      { type: "request", turn: 1, messages: 1 },
      call,
      { type: "permission", callId: "c1", decision: { decision: "allow", by: "mode", reason: "free" } },
      { type: "tool.intent", callId: "c1", tool: "look", title: "look", effect: false },
      result("c1", "seen"),
      { type: "limit", limit: "turns", message: "enough" },
      { type: "run.end", status: "limit" },
      reminder("moved"),
      user("and now this", true),
    );
    expect(folded.messages).toEqual([
      userText("do it"),
      call.message,
      result("c1", "seen").message,
      userText("moved"),
      userText("and now this"),
    ]);
    expect(folded.items.map(({ seq, origin }) => [seq, origin])).toEqual([
      [2, "prompt"],
      [4, "model"],
      [7, "tool"],
      [10, "reminder"],
      [11, "prompt"],
    ]);
    expect(folded.context).toEqual(context);
  });

  test("does not count a record that could not be kept", async () => {
    const store = memoryHistory();
    const log = new SessionLog({ ...store, append: () => Promise.reject(new Error("disk full")) });
    await expect(log.append(user("do it"))).rejects.toThrow("disk full");
    expect(log.conversation.messages).toEqual([]);
  });

  test("knows what the provider counted last, until a compaction makes it meaningless", () => {
    const usage = { inputTokens: 100, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 7 };
    const records = [user("a"), { ...answer("b"), usage }, user("c"), answer("d")];
    expect(conversation(...records).counted).toEqual({ usage, items: 2 });
    expect(conversation(...records, compaction(4)).counted).toBeUndefined();
  });
});

describe("open calls", () => {
  test("are those of the last answer that have no result", () => {
    const two = answer("", "a", "b");
    expect(ids(conversation(user("x")))).toEqual([]);
    expect(ids(conversation(user("x"), two))).toEqual(["a", "b"]);
    expect(ids(conversation(user("x"), two, result("a", "1")))).toEqual(["b"]);
    expect(ids(conversation(user("x"), two, result("a", "1"), result("b", "2")))).toEqual([]);
  });

  test("are told apart from calls of an earlier answer with the same id", () => {
    const again = [user("x"), answer("", "a"), result("a", "1"), answer("", "a")];
    expect(ids(conversation(...again))).toEqual(["a"]);
    expect(ids(conversation(...again, result("a", "2"), answer("done")))).toEqual([]);
  });

  test.each([
    ["not_started", "The session ended before this call was started. Nothing was done."],
    [
      "looking",
      "The session ended before this call had ended. It only looks: call it again if you still need it.",
    ],
    [
      "effect",
      "The session ended while this call was under way. It may have been done in whole, in part or not at all, and it was not repeated. Look at the actual state before you go on.",
    ],
  ] as const)("are closed in words: %s", (progress, words) => {
    const call = { type: "tool_call", id: "c", name: "bash", arguments: "{}" } as const;
    expect(interruptedResult(call, progress)).toEqual({
      type: "message.tool",
      message: {
        role: "tool",
        toolCallId: "c",
        toolName: "bash",
        output: `Interrupted. ${words}`,
        isError: true,
      },
      agents: [],
      seen: [],
      interrupted: true,
    });
  });
});

describe("seen files", () => {
  test("are the last state of each, without those that the model lost sight of", () => {
    const folded = conversation(
      answer("", "1"),
      result("1", "", {
        seen: [
          { path: "/a", sha256: "a1" },
          { path: "/b", sha256: "b1" },
        ],
      }),
      answer("", "2"),
      result("2", "", { seen: [{ path: "/a", sha256: "a2" }, { path: "/b" }] }),
    );
    expect([...folded.seenFiles()]).toEqual([["/a", "a2"]]);
  });
});

describe("a compaction", () => {
  const before = [
    context, // 1
    user("first"), // 2
    answer("", "1"), // 3
    result("1", "one", { agents: [presented("/repo/a/AGENTS.md")], seen: [{ path: "/a", sha256: "a" }] }), // 4
    answer("", "2"), // 5
    result("2", "two", { agents: [presented("/repo/b/AGENTS.md")], seen: [{ path: "/b", sha256: "b" }] }), // 6
  ];

  test("leaves out exactly the messages of the records before the kept ones, and what they had told", () => {
    const folded = conversation(...before, compaction(5));
    expect(folded.messages).toEqual([
      userText("compacted"),
      answer("", "2").message,
      result("2", "two").message,
    ]);
    expect(folded.agentsRecords()).toEqual([initialAgents, presented("/repo/b/AGENTS.md")]);
    expect([...folded.seenFiles()]).toEqual([["/b", "b"]]);
    expect(folded.lastCompaction).toEqual(compaction(5));
  });

  test("stands for the one before it", () => {
    const second = compaction(9, { message: userText("compacted again") });
    const folded = conversation(...before, compaction(5), user("next"), answer("done"), second);
    expect(folded.messages).toEqual([userText("compacted again"), answer("done").message]);
    expect(folded.lastCompaction).toEqual(second);
  });

  test("that shortens an output forgets what was told at its end, so that it is told again", () => {
    const folded = conversation(...before, compaction(5, { trimmed: [{ seq: 6, output: "t…" }] }));
    expect(folded.messages.at(-1)).toEqual(result("2", "t…").message);
    expect(folded.agentsRecords()).toEqual([initialAgents]);
    expect(folded.seenFiles().size).toBe(0);
  });

  test("does not undo a move of the session whose note it leaves out", () => {
    const folded = conversation(
      context,
      user("first"),
      reminder("moved", { ...moved("/repo/sub"), coveredDirs: ["/repo/sub"] }),
      user("second"),
      answer("", "1"),
      result("1", "one", { agents: [presented("/repo/a/AGENTS.md")] }),
      compaction(5),
    );
    const { cwd, root, coveredDirs, loadedVersions } = foldAgentsRecords(folded.agentsRecords());
    expect([cwd, root, [...coveredDirs], [...loadedVersions.keys()]]).toEqual([
      "/repo/sub",
      "/repo",
      ["/repo"],
      ["/repo/AGENTS.md", "/repo/a/AGENTS.md"],
    ]);
    expect(folded.movedTo).toMatchObject({ cwd: "/repo/sub", root: "/repo" });
    const back = conversation(
      context,
      reminder("away", moved("/repo/sub")),
      reminder("back", moved("/repo")),
    );
    expect(back.movedTo).toBeUndefined();
  });

  test("leaves the calls of a kept answer with their results", () => {
    const folded = conversation(
      user("x"),
      answer("", "a", "b"),
      result("a", "1"),
      result("b", "2"),
      compaction(2),
    );
    expect(folded.messages.slice(1).map(({ role }) => role)).toEqual(["assistant", "tool", "tool"]);
    expect(ids(folded)).toEqual([]);
  });
});
