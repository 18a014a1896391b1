import { describe, expect, test } from "bun:test";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TranscriptEntry } from "@codelia/protocol";
import { SessionRecordSchema } from "@codelia/shared-types";
import { nodeDisk, openJournal } from "@codelia/storage";
import {
  cursorOf,
  earlierCursorOf,
  earlierPositionAt,
  positionAt,
  readEarlierTranscript,
  readTranscript,
} from "../../src/sessions/index.ts";
import { answer, at, done, ids, output, ports, prompt, SessionScene } from "./stored-sessions.ts";

const [id] = ids;

async function whole(scene: SessionScene, limit: number): Promise<TranscriptEntry[]> {
  const entries: TranscriptEntry[] = [];
  let cursor: string | undefined = "1.0";
  while (cursor !== undefined) {
    const from = positionAt(cursor);
    const page = await readTranscript(nodeDisk, scene.directory(id), { from, limit, isRunning: false });
    entries.push(...page.entries);
    cursor = page.next && cursorOf(page.next);
  }
  return entries;
}

async function wholeFromEnd(scene: SessionScene, limit: number): Promise<TranscriptEntry[]> {
  let entries: readonly TranscriptEntry[] = [];
  let cursor: string | undefined;
  do {
    const before = cursor === undefined ? undefined : earlierPositionAt(cursor);
    const place = { before, limit, isRunning: false };
    const page = await readEarlierTranscript(nodeDisk, scene.directory(id), place);
    entries = [...page.entries, ...entries];
    cursor = page.earlier && earlierCursorOf(page.earlier);
  } while (cursor !== undefined);
  return [...entries];
}

describe("a transcript", () => {
  test("tells each kind of record, or leaves it out, and is the same in pages of any size", async () => {
    const agents = { type: "agents.initial", cwd: "/", root: "/", markers: [], coveredDirs: [] };
    const records = [
      {
        type: "session.context",
        prefix: [],
        tools: [],
        agents: { ...agents, presented: [], removed: [], reported: [] },
      },
      {
        type: "message.user",
        message: {
          role: "user",
          content: [
            { type: "text", text: "do" },
            { type: "image", mediaType: "image/png", data: "" },
            { type: "text", text: "it" },
          ],
        },
        steering: true,
      },
      { type: "request", turn: 1, messages: 1 },
      {
        type: "message.assistant",
        turn: 1,
        message: {
          role: "assistant",
          content: [
            { type: "reasoning", text: "hm" },
            { type: "text", text: "so" },
            { type: "tool_call", id: "c1", name: "bash", arguments: "{" },
          ],
        },
        interrupted: true,
      },
      { type: "permission", callId: "c1", decision: { decision: "deny", by: "user", reason: "no" } },
      { type: "tool.intent", callId: "c1", tool: "bash", title: "run x", effect: true },
      { type: "files.change", callId: "c1", changes: [] },
      output("out", "0".repeat(32)),
      { type: "reminder", kind: "session.resume.diff", text: "changed", agents: [] },
      {
        type: "request.failed",
        turn: 2,
        failure: { kind: "AuthError", message: "bad key", retryable: false },
      },
      {
        type: "compaction",
        trigger: "threshold",
        keptFrom: 3,
        message: { role: "user", content: [{ type: "text", text: "summary" }] },
        summaries: [],
        instructions: [],
        agentsInForce: [],
        trimmed: [],
      },
      { type: "compaction.failed", trigger: "overflow", reason: "no room" },
      { type: "limit", limit: "turns", message: "enough" },
      { type: "session.resume", program: "1", cwd: "/here", root: "/", model: "m" },
      { type: "undo.intent", prompt: 3, paths: ["/a"] },
      { type: "undo", prompt: 3, paths: ["/a", "/b"] },
      { type: "run.end", status: "interrupted" },
      done,
      { type: "from.the.future\u001b", what: 1 },
      { type: "skills.known", paths: ["/repo/.agents/skills/one/SKILL.md"] },
      { type: "flow.query", run: "20260101T000000-00000001", effect: 1 },
      { type: "images.refused", seqs: [3], reason: "bad image" },
    ];
    const kinds = new Set<string>(records.map(({ type }) => type));
    const unused = SessionRecordSchema.options
      .map(({ shape }) => shape.type.value)
      .filter((kind) => kind !== "session.start" && !kinds.has(kind));
    expect(unused).toEqual([]);
    using scene = new SessionScene();
    await scene.add(id, records, { forkedFrom: { id: "another", seq: 1 } });
    const note = (seq: number, kind: string, text: string) => ({ seq, at, type: "note", kind, text });
    const expected: unknown[] = [
      note(1, "fork", "A copy of another"),
      { seq: 3, at, type: "prompt", text: "do\nit", images: 1, steering: true },
      {
        seq: 5,
        at,
        type: "answer",
        text: "so",
        reasoning: "hm",
        calls: [{ call_id: "c1", tool: "bash", arguments: "{" }],
        interrupted: true,
      },
      { seq: 6, at, type: "permission", call_id: "c1", decision: "deny", by: "user", reason: "no" },
      { seq: 7, at, type: "call", call_id: "c1", tool: "bash", title: "run x" },
      {
        seq: 9,
        at,
        type: "tool",
        call_id: "c1",
        tool: "bash",
        output: "out",
        is_error: false,
        output_ref: "0".repeat(32),
      },
      note(10, "reminder", "changed"),
      note(11, "failure", "bad key"),
      note(12, "compaction", "summary"),
      note(13, "failure", "no room"),
      note(14, "limit", "enough"),
      note(15, "resume", "Went on in /here with m"),
      note(17, "undo", "Put back\n- /a\n- /b"),
      note(18, "interrupted", "The run was interrupted"),
      note(20, "unknown", 'A record of a kind that this version does not know ("from.the.future\\u001b")'),
      note(23, "failure", "Images are left out from here on, because they were refused: bad image"),
    ];
    for (const limit of [1, 4, 1000]) {
      const entries: unknown = await whole(scene, limit);
      expect(entries).toEqual(expected);
      expect(await wholeFromEnd(scene, limit)).toEqual(await whole(scene, limit));
    }
  });

  test("of a damaged session ends before the damage, and says so", async () => {
    using scene = new SessionScene();
    await scene.add(id, [prompt("one"), answer("two"), done]);
    const path = join(scene.directory(id), "journal.jsonl");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace('"two"', '"TWO"'));
    const page = await readTranscript(nodeDisk, scene.directory(id), { isRunning: false });
    const bytes = text.length - text.indexOf('{"crc"', text.indexOf("one"));
    expect(page).toEqual({
      entries: [{ seq: 2, at, type: "prompt", text: "one", images: 0, steering: false }],
      next: undefined,
      damage: `The session's journal is damaged from record 3 on (checksum): ${bytes} bytes could not be used, everything before them is there.`,
    });
  });

  test("of a session that is being written is not damaged by its torn end, one that was left so is", async () => {
    using scene = new SessionScene();
    await scene.add(id, [prompt("one")]);
    const path = join(scene.directory(id), "journal.jsonl");
    const look = async (isRunning: boolean) =>
      (await readTranscript(nodeDisk, scene.directory(id), { isRunning })).damage !== undefined;
    const journal = await openJournal(scene.directory(id), ports);
    appendFileSync(path, '{"crc":"');
    const whileOpen = [await look(true), await look(false)];
    await journal.close();
    expect([...whileOpen, await look(true), await look(false)]).toEqual([false, false, false, true]);
  });

  test("takes no cursor but its own", () => {
    expect(["1.0", "12.3456", "", "1", "0.0", "-1.0", "1.0 ", "1.x", "1.1e3"].map(positionAt)).toEqual([
      { seq: 1, offset: 0 },
      { seq: 12, offset: 3456 },
      ...Array.from({ length: 7 }, () => undefined),
    ]);
    expect(["-1.0", "-12.3456", "1.0", "--1.0", "-", ""].map(earlierPositionAt)).toEqual([
      { seq: 1, offset: 0 },
      { seq: 12, offset: 3456 },
      ...Array.from({ length: 4 }, () => undefined),
    ]);
  });
});
