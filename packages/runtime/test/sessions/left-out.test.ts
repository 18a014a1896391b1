// A long session is entered without what its compactions have left out, and nobody can tell.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type LeaveOut, nodeDisk } from "@codelia/storage";
import { SessionFold, type SessionState } from "../../src/sessions/fold.ts";
import { openSession, readRecords } from "../../src/sessions/index.ts";
import { findLeftOut } from "../../src/sessions/left-out.ts";
import { call, type SceneRun, SessionScene } from "./session-scene.ts";

/** About 8,000 tokens; four fill the window. */
const read = (file: number) => call("read", { path: `sub/${file}.txt` });
const summary = (text: string) => ({ text, expect: { last_user_contains: "about to be compacted" } });
const window = 40_000;
const rounds = 10;

let scene: SessionScene;
let first: SceneRun;
let copy: SceneRun;

function turns(): unknown[] {
  const reads = Array.from({ length: 4 }, (_, file) => read(file));
  const list = call("todo", { items: [{ text: "the long way", state: "doing" }] });
  return [
    list,
    ...Array.from({ length: rounds }, (_, round) => [
      ...reads.slice(round === 0 ? 0 : 1),
      summary(`Summary ${round}.`),
    ]).flat(),
    { text: "done" },
  ];
}

beforeAll(async () => {
  const text = (file: number) => `file ${file} ${"x".repeat(80)}\n`.repeat(340);
  scene = new SessionScene({
    "repo/AGENTS.md": "Root rules.\n",
    "repo/sub/AGENTS.md": "Sub rules.\n",
    ...Object.fromEntries([0, 1, 2, 3].map((file) => [`repo/sub/${file}.txt`, text(file)])),
  });
  first = await scene.run("read it all", turns(), { window });
  copy = await scene.run("and more", [read(0), { text: "done" }], {
    session: { how: "fork", id: first.id },
    window,
  });
});

afterAll(() => scene[Symbol.dispose]());

async function wholeState(directory: string): Promise<SessionState | undefined> {
  const fold = new SessionFold();
  for await (const entry of readRecords(nodeDisk, directory)) fold.apply(entry);
  return fold.start && fold.state(fold.start);
}

function glanceAt(seq: number, text: string): Parameters<LeaveOut>[0] {
  return { seq, start: text.slice(0, 100), mayHold: (sought) => text.includes(sought) };
}

/** All that a run goes by. */
function facts(state: SessionState | undefined) {
  const conversation = state?.conversation;
  return {
    ...state,
    conversation: undefined,
    context: conversation?.context,
    items: conversation?.items,
    messages: conversation?.messages,
    lastCompaction: conversation?.lastCompaction,
    counted: conversation?.counted,
    movedTo: conversation?.movedTo,
    agents: conversation?.agentsRecords(),
    seen: conversation?.seenFiles(),
    open: conversation?.openCalls,
  };
}

async function entered(
  directory: string,
): Promise<{ facts: ReturnType<typeof facts>; notices: readonly string[] }> {
  const session = await openSession({ disk: nodeDisk, now: () => new Date() }, directory);
  await session.close();
  return { facts: facts(session.state), notices: session.notices };
}

describe("a session of many compactions", () => {
  test("has outputs and notes to leave out, in a copy as well", async () => {
    for (const { directory } of [first, copy]) {
      const leftOut = await findLeftOut(nodeDisk, directory);
      const kinds: Record<string, number> = {};
      for await (const { seq, record } of readRecords(nodeDisk, directory)) {
        if (leftOut?.leaveOut(glanceAt(seq, JSON.stringify(record))))
          kinds[record.type] = (kinds[record.type] ?? 0) + 1;
      }
      expect(kinds).toEqual({
        request: 32,
        "message.assistant": 30,
        permission: 31,
        "tool.intent": 31,
        "message.tool": 30,
        compaction: 9,
      });
    }
  });

  test("is entered as if everything had been read", async () => {
    for (const { directory } of [first, copy]) {
      const expected = facts(await wholeState(directory));
      expect(expected.todo).toContain("the long way");
      expect(await entered(directory)).toEqual({ facts: expected, notices: [] });
    }
  });

  test("is read in full when the damage is before its last compaction", async () => {
    const { directory } = first;
    const path = join(directory, "journal.jsonl");
    const whole = readFileSync(path);
    try {
      const half = Buffer.from(whole);
      const place = whole.length >> 1;
      half[place] = (half[place] ?? 0) ^ 1;
      writeFileSync(path, half);
      const { facts: found, notices } = await entered(directory);
      expect([found.items?.length ?? 0, notices.length]).toEqual([8, 1]);
      expect(found).toEqual(facts(await wholeState(directory)));
    } finally {
      writeFileSync(path, whole);
    }
  });
});
