// Calls that did not end well: what is on disk decides what an undo has to do.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { ProtocolError } from "@codelia/protocol";
import { nodeDisk } from "@codelia/storage";
import { systemError } from "../tools/file-tool-scene.ts";
import { edit, patch, read, UndoScene, write } from "./undo-scene.ts";
import { type BeforeCall, watchedDisk } from "./watched-disk.ts";

const timeout = 600_000;

const change = {
  calls: [
    read("a.ts"),
    read("b.ts"),
    edit("a.ts", "a", "A"),
    patch("*** Update File: a.ts", "-A", "+AA", "*** Update File: b.ts", "*** Move to: c.ts", "-b", "+B"),
    write("new/d.ts", "d\n"),
  ],
} as const;

const before = { "a.ts": "a\n", "b.ts": "b\n" };

const changing: ReadonlySet<string> = new Set(["write", "sync", "mkdir", "link", "rename", "unlink"]);

/** Numbers the calls that change something. */
function onChanges(act: (call: number) => void): BeforeCall {
  let calls = 0;
  return (_call, name) => {
    if (!changing.has(name)) return;
    calls += 1;
    act(calls - 1);
  };
}

/** What the tools put beside files and could not remove when they were killed. */
function withoutTemporary(contents: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(contents).filter(([name]) => !name.endsWith(".tmp")));
}

test(
  "a run that is killed at any change of the disk can be undone to the state before it",
  async () => {
    using scene = new UndoScene(before);
    scene.save();
    let calls = 0;
    const counting = onChanges(() => {
      calls += 1;
    });
    await scene.run({ ...change, disk: watchedDisk(nodeDisk, counting) });
    const actions = new Set<string>();
    for (let kill = 0; kill < calls; kill += 1) {
      scene.restore();
      const dying = onChanges((call) => {
        if (call >= kill) throw systemError("EIO");
      });
      await scene.run({ ...change, disk: watchedDisk(nodeDisk, dying) }).catch(() => undefined);
      await scene.removeLocks().catch(() => undefined);
      const files = await scene.undo().then(
        (undone) => undone.files,
        (error: unknown) => {
          // It was killed before anything was to be changed.
          if (error instanceof ProtocolError && ["not_found", "unreadable"].includes(error.code)) return [];
          throw error;
        },
      );
      for (const { action } of files) actions.add(action);
      expect({ kill, files: withoutTemporary(scene.contents()) }).toEqual({ kill, files: before });
    }
    expect([...actions].toSorted()).toEqual(["removed", "restored", "unchanged"]);
  },
  timeout,
);

test("a call that failed leaves the file to the one before it: both states of it count as the session's", async () => {
  using scene = new UndoScene({ "a.ts": "a\n" });
  let renames = 0;
  const disk = watchedDisk(nodeDisk, (_call, name, path) => {
    renames += name === "rename" && path.includes(".codelia-") ? 1 : 0;
    if (name === "rename" && renames === 2) throw systemError("ENOSPC");
  });
  await scene.run({ calls: [read("a.ts"), edit("a.ts", "a", "b"), edit("a.ts", "b", "c")], disk });
  expect(scene.contents()).toEqual({ "a.ts": "b\n" });
  await scene.undo();
  expect(scene.contents()).toEqual({ "a.ts": "a\n" });
});

test("after calls that ended well, an earlier state of the file is somebody's doing", async () => {
  using scene = new UndoScene({ "a.ts": "a\n" });
  await scene.run({ calls: [read("a.ts"), edit("a.ts", "a", "b"), edit("a.ts", "b", "c")] });
  writeFileSync(scene.in("a.ts"), "b\n");
  expect([(await scene.refusal()).code, scene.contents()]).toEqual(["refused", { "a.ts": "b\n" }]);
});
