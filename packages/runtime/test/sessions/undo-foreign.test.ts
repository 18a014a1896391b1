// Whatever somebody else did to a file since, it is never lost: the whole undo is refused.
import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { type Disk, nodeDisk } from "@codelia/storage";
import { bash, edit, patch, read, UndoScene, write } from "./undo-scene.ts";

/** A session that changed, created, deleted and moved a file. */
async function changedProject(): Promise<UndoScene> {
  const scene = new UndoScene({ "a.ts": "a\n", "gone.ts": "g\n", "sub/m.ts": "m\n" });
  await scene.run({
    prompt: "change",
    calls: [
      read("a.ts"),
      read("gone.ts"),
      read("sub/m.ts"),
      edit("a.ts", "a", "A"),
      write("new.ts", "n\n"),
      patch("*** Delete File: gone.ts"),
      patch("*** Update File: sub/m.ts", "*** Move to: sub/n.ts", "-m", "+M"),
    ],
  });
  return scene;
}

type Interference = readonly [what: string, act: (scene: UndoScene) => void, told: readonly string[]];

const interferences: readonly Interference[] = [
  ["a changed file was changed", (scene) => appendFileSync(scene.in("a.ts"), "x"), ["a.ts: changed"]],
  ["a changed file was emptied", (scene) => truncateSync(scene.in("a.ts")), ["a.ts: changed"]],
  ["a changed file was deleted", (scene) => rmSync(scene.in("a.ts")), ["a.ts: deleted"]],
  ["a new file was changed", (scene) => writeFileSync(scene.in("new.ts"), "x"), ["new.ts: changed"]],
  ["a deleted file was created", (scene) => writeFileSync(scene.in("gone.ts"), "x"), ["gone.ts: created"]],
  ["a moved file was changed", (scene) => appendFileSync(scene.in("sub/n.ts"), "x"), ["sub/n.ts: changed"]],
  ["the old name was taken", (scene) => writeFileSync(scene.in("sub/m.ts"), ""), ["sub/m.ts: created"]],
  [
    "a file became a directory",
    (scene) => {
      rmSync(scene.in("a.ts"));
      mkdirSync(scene.in("a.ts"));
    },
    ["a.ts: is a directory now"],
  ],
  [
    "a new file became a named pipe",
    (scene) => {
      rmSync(scene.in("new.ts"));
      scene.add({ "repo/new.ts": { fifo: true } });
    },
    ["new.ts: is a named pipe (FIFO) now"],
  ],
  [
    "a file became a link to the same content",
    (scene) => {
      renameSync(scene.in("a.ts"), scene.at("outside.ts"));
      symlinkSync(scene.at("outside.ts"), scene.in("a.ts"));
    },
    ["a.ts: is a symbolic link now"],
  ],
  [
    "the directory became a link to the same files",
    (scene) => {
      renameSync(scene.in("sub"), scene.at("outside"));
      symlinkSync(scene.at("outside"), scene.in("sub"));
    },
    ["sub/n.ts: lies behind a link now", "sub/m.ts: lies behind a link now"],
  ],
  [
    "several were touched",
    (scene) => {
      rmSync(scene.in("a.ts"));
      writeFileSync(scene.in("new.ts"), "");
      writeFileSync(scene.in("gone.ts"), "");
    },
    ["a.ts: deleted", "new.ts: changed", "gone.ts: created"],
  ],
];

describe("an undo is refused as a whole, and every such file named, when", () => {
  test.each(interferences)("%s", async (_what, act, told) => {
    using scene = await changedProject();
    act(scene);
    const state = [scene.files(), await scene.records()];
    const lines = told.map((line) => `\n  ${scene.in(line)}`).join("");
    for (const dry_run of [true, false]) {
      const { code, message, hint } = await scene.refusal({ dry_run });
      expect([code, message.slice(message.indexOf(": ") + 2), hint]).toEqual([
        "refused",
        `the prompt “change” cannot be undone, because files are not as it left them:${lines}`,
        "Nothing was changed. Put these files back to what they were after the prompt, then undo again.",
      ]);
    }
    expect([scene.files(), await scene.records()]).toEqual(state);
  });
});

test("an undo that was refused goes through once the files are as the session left them", async () => {
  using scene = await changedProject();
  const left = readFileSync(scene.in("a.ts"));
  writeFileSync(scene.in("a.ts"), "mine\n");
  await scene.refusal();
  writeFileSync(scene.in("a.ts"), left);
  await scene.undo();
  expect(scene.contents()).toEqual({ "a.ts": "a\n", "gone.ts": "g\n", "sub/m.ts": "m\n" });
});

test("a change between two prompts is somebody's: the later prompt is undone, the earlier one refused", async () => {
  using scene = new UndoScene({ "a.ts": "a\n" });
  await scene.run({ calls: [read("a.ts"), edit("a.ts", "a", "b")] });
  writeFileSync(scene.in("a.ts"), "mine\n");
  await scene.goOn({ calls: [read("a.ts"), edit("a.ts", "mine", "yours")] });
  await scene.undo();
  expect([scene.contents(), (await scene.refusal()).code]).toEqual([{ "a.ts": "mine\n" }, "refused"]);
});

test("commands of the same prompt are named, since they may be what changed the files", async () => {
  using scene = new UndoScene({ "a.ts": "a\n" });
  await scene.run({ calls: [read("a.ts"), edit("a.ts", "a", "A"), bash("echo more >> a.ts")] });
  expect((await scene.refusal()).hint).toBe(
    "Commands of the same prompt may have done it:\n  run echo more >> a.ts\n" +
      "Nothing was changed. Put these files back to what they were after the prompt, then undo again.",
  );
});

/** Lets somebody act at the moment when the first new content is put beside its file. */
function racing(act: () => void): Disk {
  let isFirst = true;
  return {
    ...nodeDisk,
    open: async (path, flags, mode) => {
      const file = await nodeDisk.open(path, flags, mode);
      if (isFirst && path.includes(".codelia-undo-")) {
        isFirst = false;
        act();
      }
      return file;
    },
  };
}

describe("while an undo is under way", () => {
  const raced: readonly Interference[] = [
    ["a change of a file", (scene) => appendFileSync(scene.in("a.ts"), "x"), ["a.ts"]],
    ["a new file under a deleted name", (scene) => writeFileSync(scene.in("gone.ts"), "x"), ["gone.ts"]],
    [
      "a link in place of a directory",
      (scene) => {
        scene.add({ "outside/n.ts": "M\n" });
        renameSync(scene.in("sub"), scene.in("aside"));
        symlinkSync(scene.at("outside"), scene.in("sub"));
      },
      ["sub/n.ts"],
    ],
  ];
  test.each(raced)("%s stops it, and everything else is as it was", async (_what, act, [name = ""]) => {
    using scene = await changedProject();
    using twin = await changedProject();
    act(twin);
    const { code, message, hint } = await scene.refusal(
      {},
      racing(() => act(scene)),
    );
    expect([code, message, hint]).toEqual([
      "storage",
      `${scene.in(name)}: cannot be put back: somebody changed it, or a directory on its way, at the same time`,
      "Nothing was changed. Mend the cause and undo again.",
    ]);
    const expected = Object.entries(twin.contents()).map(([file, text]): [string, string] => [
      file,
      text.replace(twin.path, scene.path),
    ]);
    expect(scene.contents()).toEqual(Object.fromEntries(expected));
  });
});

test("a mode that somebody gave a file since does not stop the undo, and what it was comes back", async () => {
  using scene = new UndoScene({ "a.sh": "a\n" });
  chmodSync(scene.in("a.sh"), 0o640);
  await scene.run({ calls: [read("a.sh"), edit("a.sh", "a", "A")] });
  chmodSync(scene.in("a.sh"), 0o755);
  await scene.undo();
  expect(scene.files()).toEqual({ "a.sh": "640 a\n" });
});
