import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { UndoScene } from "./undo-scene.ts";

const write = (path: string, content: string) => ["write", { path, content }] as const;

test("a session's diff goes from what the files were before it to what they are now", async () => {
  using scene = new UndoScene({ "a.txt": "one\n", "b.txt": "same\n" });
  const read = (path: string) => ["read", { path }] as const;
  const { session_id: id } = await scene.run({ calls: [read("a.txt"), write("a.txt", "two\n")] });
  const session = { how: "resume", id } as const;
  await scene.run({ calls: [write("a.txt", "three\n"), read("b.txt"), write("b.txt", "other\n")], session });
  await scene.run({
    calls: [write("new.txt", "n\n"), ["bash", { command: "true" }], write("b.txt", "same\n")],
    session,
  });
  writeFileSync(scene.in("a.txt"), "three\nand by hand\n");
  const diff = await scene.client().call("session.diff", { cwd: scene.in(), id });
  expect(diff).toEqual({
    id,
    files: [
      {
        path: scene.in("a.txt"),
        diff: "--- a.txt\n+++ a.txt\n@@ -1,1 +1,2 @@\n-one\n+three\n+and by hand",
      },
      { path: scene.in("new.txt"), diff: "--- (new file)\n+++ new.txt\n@@ -0,0 +1,1 @@\n+n" },
    ],
    commands: ["run true"],
    notices: [],
  });
});

test("what was undone is not in the diff, and what is gone is shown as deleted", async () => {
  using scene = new UndoScene({ "a.txt": "one\n" });
  const { session_id: id } = await scene.run({
    calls: [["read", { path: "a.txt" }], write("a.txt", "two\n")],
  });
  rmSync(scene.in("a.txt"));
  const client = scene.client();
  const gone = await client.call("session.diff", { cwd: scene.in(), id });
  expect(gone.files.map(({ diff }) => diff)).toEqual(["--- a.txt\n+++ (deleted)\n@@ -1,1 +0,0 @@\n-one"]);
  writeFileSync(scene.in("a.txt"), "two\n");
  await client.call("session.undo", { cwd: scene.in(), id, dry_run: false });
  expect((await client.call("session.diff", { cwd: scene.in(), id })).files).toEqual([]);
});
