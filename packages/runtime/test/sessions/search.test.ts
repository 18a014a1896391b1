import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeDisk, openJournal } from "@codelia/storage";
import { searchSessions } from "../../src/sessions/index.ts";
import { answer, at, done, ids, output, ports, prompt, SessionScene } from "./stored-sessions.ts";

const [first, second, third] = ids;

describe("searchSessions", () => {
  test("finds a text wherever it was said or seen, the last used session first, one match a step", async () => {
    using scene = new SessionScene();
    await scene.add(first, [prompt("Where is the NEEDLE? a needle!"), answer("Here: nothing"), done], {
      minute: 1,
    });
    const call = {
      type: "message.assistant",
      turn: 1,
      message: {
        role: "assistant",
        content: [{ type: "tool_call", id: "c", name: "bash", arguments: '{"command":"find needle"}' }],
      },
      interrupted: false,
    };
    const records = [
      call,
      { type: "permission", callId: "c", decision: { decision: "deny", by: "user", reason: "no needles" } },
      { type: "tool.intent", callId: "c", tool: "bash", title: "run needle", effect: true },
      output("line\nneedle\u0007 <b>\n"),
      { type: "limit", limit: "turns", message: "needle limit" },
      { type: "session.resume", program: "1", cwd: "/needle", root: "/", model: "m" },
    ];
    await scene.add(second, records, { minute: 2, title: "two" });
    await scene.add(third, [prompt("hay")], { minute: 3 });
    const match = (id: string, title: string, seq: number, type: string, excerpt: string) => ({
      id,
      title,
      seq,
      at,
      type,
      excerpt,
    });
    const expected = {
      matches: [
        match(second, "two", 2, "answer", '{"command":"find needle"}'),
        match(second, "two", 3, "permission", "no needles"),
        match(second, "two", 4, "call", "run needle"),
        match(second, "two", 5, "tool", "line needle\\u0007 <b>"),
        match(second, "two", 6, "note", "needle limit"),
        match(first, "a title", 2, "prompt", "Where is the NEEDLE? a needle!"),
      ],
      more: false,
      searched: 3,
      problems: [],
    };
    const found: unknown = await searchSessions(nodeDisk, scene.scope, "neEdle", 20);
    expect(found).toEqual(expected);
    const few = await searchSessions(nodeDisk, scene.scope, "neEdle", 6);
    expect(few.more).toBe(false);
    const fewer = await searchSessions(nodeDisk, scene.scope, "neEdle", 1);
    expect([fewer.matches.length, fewer.more, fewer.searched]).toEqual([1, true, 2]);
  });

  test("finds what is only in the whole output, or in a record that is kept in a blob", async () => {
    using scene = new SessionScene();
    const journal = await openJournal(scene.directory(first), ports);
    const whole = `${"filler\n".repeat(50_000)}the Needle at last\n${"filler\n".repeat(10)}`;
    const ref = await journal.blobs.put(new TextEncoder().encode(whole));
    await journal.append(scene.start(first));
    await journal.append(output("[cut]", ref));
    await journal.append(output("[its output is gone]", "0".repeat(32)));
    await journal.append(prompt(`${"long ".repeat(20_000)} pin`));
    await journal.close();
    const excerpts = async (text: string) =>
      (await searchSessions(nodeDisk, scene.scope, text, 9)).matches.map(({ seq, excerpt }) => [
        seq,
        excerpt,
      ]);
    expect([await excerpts("needle at"), await excerpts("g pin"), await excerpts("haystack")]).toEqual([
      [[2, "the Needle at last"]],
      [],
      [],
    ]);
    expect((await excerpts("  pin")).length).toBe(1);
  });

  test("searches a damaged session as far as it goes and names it, and passes over one that is none", async () => {
    using scene = new SessionScene();
    await scene.add(first, [prompt("needle one"), prompt("needle two")], { minute: 1 });
    await scene.add(second, [prompt("needle three")]);
    const path = join(scene.directory(first), "journal.jsonl");
    writeFileSync(path, readFileSync(path, "utf8").replace("needle two", "needle TWO"));
    writeFileSync(join(scene.directory(second), "journal.jsonl"), "a needle of mine\n");
    scene.touch(first, 1);
    scene.touch(second, 0);
    const { matches, problems, searched } = await searchSessions(nodeDisk, scene.scope, "needle", 9);
    expect([matches.map(({ excerpt }) => excerpt), searched]).toEqual([["needle one"], 2]);
    expect(problems.map(({ id }) => id)).toEqual([first, second]);
  });
});
