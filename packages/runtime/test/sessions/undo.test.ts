import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Result } from "@codelia/protocol";
import { nodeDisk } from "@codelia/storage";
import { openSession } from "../../src/sessions/index.ts";
import { bash, edit, patch, read, UndoScene, write } from "./undo-scene.ts";

const moved = patch(
  "*** Update File: b.ts",
  "*** Move to: moved/b.ts",
  "-b",
  "+B",
  "*** Delete File: c.ts",
  "*** Add File: new/d.ts",
  "+d",
);

describe("undo of the last prompt", () => {
  test("brings back what edit, write and apply_patch changed, deleted and moved, and removes what they added", async () => {
    using scene = new UndoScene({
      "a.ts": "a\n",
      "b.ts": "b\n",
      "c.ts": "c\n",
      "w.ts": "w\n",
      "same.ts": "",
    });
    const before = scene.files();
    const { session_id } = await scene.run({
      prompt: "change everything",
      calls: [
        read("a.ts"),
        read("b.ts"),
        read("c.ts"),
        read("w.ts"),
        edit("a.ts", "a", "A"),
        moved,
        write("w.ts", "W\n"),
        write("deep/er/e.ts", "e\n"),
        edit("a.ts", "A", "AA"),
        bash("true"),
      ],
    });
    expect(Object.keys(scene.files())).toEqual(
      ["a.ts", "deep/er/e.ts", "moved/b.ts", "new/d.ts", "same.ts", "w.ts"].toSorted(),
    );
    const expected: Result<"session.undo"> = {
      id: session_id,
      prompt: "change everything",
      files: [
        { path: scene.in("a.ts"), action: "restored" },
        { path: scene.in("moved/b.ts"), action: "removed" },
        { path: scene.in("b.ts"), action: "restored" },
        { path: scene.in("c.ts"), action: "restored" },
        { path: scene.in("new/d.ts"), action: "removed" },
        { path: scene.in("w.ts"), action: "restored" },
        { path: scene.in("deep/er/e.ts"), action: "removed" },
      ],
      commands: ["run true"],
      notices: [],
    };
    const changed = scene.files();
    const journal = await scene.records();
    expect(await scene.undo({ dry_run: true })).toEqual(expected);
    expect([scene.files(), await scene.records()]).toEqual([changed, journal]);
    expect(await scene.undo()).toEqual(expected);
    expect(scene.files()).toEqual(before);
    const paths = expected.files.map(({ path }) => path);
    const prompt = journal.findIndex(({ type }) => type === "message.user") + 1;
    expect((await scene.records()).slice(journal.length)).toEqual([
      { type: "undo.intent", prompt, paths },
      { type: "undo", prompt, paths },
    ]);
  });

  test("goes one prompt further back each time, until none is left", async () => {
    using scene = new UndoScene({ "a.ts": "0\n" });
    const { session_id } = await scene.run({
      prompt: "first",
      calls: [read("a.ts"), edit("a.ts", "0", "1")],
    });
    await scene.goOn({ prompt: "second", calls: [edit("a.ts", "1", "2"), write("b.ts", "b\n")] });
    await scene.goOn({ prompt: "third", calls: [edit("a.ts", "2", "3")] });
    const undone: unknown[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { prompt } = await scene.undo();
      undone.push([prompt, readFileSync(scene.in("a.ts"), "utf8"), existsSync(scene.in("b.ts"))]);
    }
    expect(undone).toEqual([
      ["third", "2\n", true],
      ["second", "1\n", false],
      ["first", "0\n", false],
    ]);
    expect(await scene.refusal()).toMatchObject({
      code: "not_found",
      message: `${session_id}: there is no prompt left to undo`,
      hint: `See: codelia sessions show ${session_id}`,
    });
  });

  test("a prompt after an undo is undone before the older ones, and the undone one is passed over", async () => {
    using scene = new UndoScene({ "a.ts": "0\n" });
    await scene.run({ prompt: "first", calls: [read("a.ts"), edit("a.ts", "0", "1")] });
    await scene.goOn({ prompt: "second", calls: [edit("a.ts", "1", "2")] });
    await scene.undo();
    await scene.goOn({ prompt: "third", calls: [read("a.ts"), edit("a.ts", "1", "3")] });
    const prompts = [(await scene.undo()).prompt, (await scene.undo()).prompt];
    expect([prompts, readFileSync(scene.in("a.ts"), "utf8")]).toEqual([["third", "first"], "0\n"]);
  });

  test("a prompt without changes says so, names its commands, and the next undo goes further back", async () => {
    using scene = new UndoScene({ "a.ts": "a\n" });
    const { session_id } = await scene.run({
      prompt: "first",
      calls: [read("a.ts"), edit("a.ts", "a", "A")],
    });
    await scene.goOn({ prompt: "only\nlook", calls: [bash("echo hello > made"), bash("true")] });
    await scene.goOn({ prompt: "why?", calls: [] });
    const why = {
      code: "not_found",
      message: `${session_id}: the tools changed no files for the prompt “why?”`,
      hint: "Undo again to go one prompt further back.",
    };
    expect(await scene.refusal({ dry_run: true })).toMatchObject(why);
    expect(await scene.refusal()).toMatchObject(why);
    expect(await scene.refusal()).toMatchObject({
      code: "not_found",
      message:
        `${session_id}: the tools changed no files for the prompt “only look”; what its commands did is not known:` +
        "\n  run echo hello > made\n  run true",
    });
    expect((await scene.undo()).prompt).toBe("first");
    expect(scene.contents()).toEqual({ "a.ts": "a\n", made: "hello\n" });
  });

  test("what a steering message brought about belongs to the prompt that it steered", async () => {
    using scene = new UndoScene({ "a.ts": "a\n" });
    await scene.run({ prompt: "first", calls: [read("a.ts"), edit("a.ts", "a", "A")] });
    await scene.goOn({
      prompt: "second",
      steering: "and c",
      calls: [write("b.ts", "b\n"), write("c.ts", "c\n")],
    });
    const said = (await scene.records()).flatMap((each) =>
      each.type === "message.user" ? [each.steering] : [],
    );
    expect(said).toEqual([false, false, true]);
    expect([(await scene.undo()).prompt, scene.contents()]).toEqual(["second", { "a.ts": "A\n" }]);
  });
});

describe("what is brought back", () => {
  test("has its bytes and its mode exactly: CRLF, byte order mark, no final newline, permission bits", async () => {
    const bytes = new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a, 0xc3, 0xa9, 0x0a, 0x62]);
    using scene = new UndoScene({
      "bom.txt": bytes,
      "run.sh": "#!/bin/sh\r\n",
      secret: "s",
      "gone.sh": "x\n",
    });
    chmodSync(scene.in("bom.txt"), 0o604);
    chmodSync(scene.in("run.sh"), 0o751);
    chmodSync(scene.in("secret"), 0o400);
    chmodSync(scene.in("gone.sh"), 0o711);
    const before = scene.files();
    await scene.run({
      calls: [
        read("bom.txt"),
        read("run.sh"),
        read("secret"),
        read("gone.sh"),
        write("bom.txt", "other\n"),
        write("run.sh", "#!/bin/bash\n"),
        edit("secret", "s", "S"),
        patch("*** Delete File: gone.sh"),
        bash("chmod 600 run.sh"),
      ],
    });
    await scene.undo();
    expect(scene.files()).toEqual(before);
  });

  test("lends nobody's rights where the owner of before is not known", async () => {
    using scene = new UndoScene({ "kept.sh": "k\n", "gone.sh": "g\n" });
    for (const name of ["kept.sh", "gone.sh"]) chmodSync(scene.in(name), 0o4755);
    await scene.run({
      calls: [read("kept.sh"), read("gone.sh"), edit("kept.sh", "k", "K"), patch("*** Delete File: gone.sh")],
    });
    await scene.undo();
    expect(scene.files()).toEqual({ "gone.sh": "755 g\n", "kept.sh": "4755 k\n" });
  });

  test("gets its directory back when that is gone; directories that were made stay", async () => {
    using scene = new UndoScene({ "sub/deep/a.ts": "a\n" });
    await scene.run({
      calls: [read("sub/deep/a.ts"), patch("*** Delete File: sub/deep/a.ts"), write("new/b.ts", "b\n")],
    });
    rmSync(scene.in("sub"), { recursive: true });
    await scene.undo();
    expect([scene.contents(), existsSync(scene.in("new"))]).toEqual([{ "sub/deep/a.ts": "a\n" }, true]);
  });

  test("is left alone where it is already what it was", async () => {
    using scene = new UndoScene({ "a.ts": "a\n", "b.ts": "b\n" });
    await scene.run({
      calls: [
        read("a.ts"),
        read("b.ts"),
        edit("a.ts", "a", "A"),
        edit("b.ts", "b", "B"),
        write("c.ts", "c\n"),
      ],
    });
    writeFileSync(scene.in("a.ts"), "a\n");
    rmSync(scene.in("c.ts"));
    expect((await scene.undo()).files).toEqual([
      { path: scene.in("a.ts"), action: "unchanged" },
      { path: scene.in("b.ts"), action: "restored" },
      { path: scene.in("c.ts"), action: "unchanged" },
    ]);
    expect(scene.contents()).toEqual({ "a.ts": "a\n", "b.ts": "b\n" });
  });
});

describe("after an undo", () => {
  test("the model is told once which files were put back, and has to read them before it edits them", async () => {
    using scene = new UndoScene({ "a.ts": "a\n", "b.ts": "b\n" });
    await scene.run({
      calls: [read("a.ts"), read("b.ts"), edit("a.ts", "a", "A"), patch("*** Delete File: b.ts")],
    });
    await scene.undo();
    const told =
      "The user put these files back to what they were before the last changes; read them again:\n" +
      `- ${scene.in("a.ts")}\n- ${scene.in("b.ts")}`;
    await scene.goOn({
      calls: [edit("a.ts", "a", "X"), edit("b.ts", "b", "X")],
      expect: { request_contains: told },
    });
    await scene.goOn({ calls: [read("a.ts"), edit("a.ts", "a", "Y")] });
    const records = await scene.records();
    const reminders = records.flatMap((each) => (each.type === "reminder" ? [each.text] : []));
    expect(reminders).toEqual([`<system-reminder type="session.resume.diff">\n${told}\n</system-reminder>`]);
    const outputs = records.flatMap((each) =>
      each.type === "message.tool" && each.message.toolName === "edit" ? [each.message.output] : [],
    );
    expect(outputs).toEqual([
      "Edited a.ts: 1 replacement, now line 1.\n",
      "a.ts has changed since you read it. Nothing was changed; read it again, then repeat.",
      "You have not read b.ts. Nothing was changed; read it first, then repeat.",
      "Edited a.ts: 1 replacement, now line 1.\n",
    ]);
  });
});

describe("which session", () => {
  test("an id may be given by its end; a session of another project is found by it and undone where it was", async () => {
    using scene = new UndoScene({ "a.ts": "a\n" });
    const { session_id } = await scene.run({ calls: [read("a.ts"), edit("a.ts", "a", "A")] });
    mkdirSync(scene.at("other/.git"), { recursive: true });
    const none = await scene.refusal({ cwd: scene.at("other") });
    expect([none.code, none.message]).toEqual([
      "not_found",
      `${scene.at("other")}: there is no session here`,
    ]);
    const { id } = await scene.undo({ cwd: scene.at("other"), id: session_id.slice(-6) });
    expect([id, scene.contents()]).toEqual([session_id, { "a.ts": "a\n" }]);
  });

  test("a session in use is refused and nothing is changed; a dry run may look", async () => {
    using scene = new UndoScene({ "a.ts": "a\n" });
    await scene.run({ calls: [read("a.ts"), edit("a.ts", "a", "A")] });
    const held = await openSession({ disk: nodeDisk, now: () => new Date() }, await scene.session());
    const { code } = await scene.refusal();
    const { prompt } = await scene.undo({ dry_run: true });
    await held.close();
    expect([code, prompt, scene.contents()]).toEqual(["in_use", "do it", { "a.ts": "A\n" }]);
  });
});
