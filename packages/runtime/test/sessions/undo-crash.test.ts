// An undo that is killed, or that the disk fails, at each of its calls: it can be finished, and nothing is lost.
import { expect, test } from "bun:test";
import { chmodSync, readdirSync } from "node:fs";
import { ProtocolError } from "@codelia/protocol";
import { nodeDisk } from "@codelia/storage";
import { systemError } from "../tools/file-tool-scene.ts";
import { edit, patch, read, UndoScene, write } from "./undo-scene.ts";
import { watchedDisk } from "./watched-disk.ts";

// Hundreds of undos; how long they take is the disk's affair.
const timeout = 600_000;

const change = {
  prompt: "change",
  calls: [
    read("a.ts"),
    read("b.ts"),
    read("sub/m.ts"),
    edit("a.ts", "a", "A"),
    write("new/n.ts", "n\n"),
    patch("*** Delete File: b.ts"),
    patch("*** Update File: sub/m.ts", "*** Move to: sub/o.ts", "-m", "+M"),
  ],
} as const;

function project(): UndoScene {
  const scene = new UndoScene({ "a.ts": "a\n", "b.ts": "b\n", "sub/m.ts": "m\n" });
  chmodSync(scene.in("a.ts"), 0o640);
  return scene;
}

interface ChangedScene extends Disposable {
  readonly scene: UndoScene;
  readonly before: Record<string, string>;
  readonly after: Record<string, string>;
  /** How many calls to the disk an undo takes. */
  readonly calls: number;
}

/** A project that can be brought back, with its session, to the state before the undo. */
async function changedScene(): Promise<ChangedScene> {
  const scene = project();
  const before = scene.files();
  await scene.run(change);
  const after = scene.files();
  scene.save();
  let calls = 0;
  await scene.undo(
    {},
    watchedDisk(nodeDisk, () => {
      calls += 1;
    }),
  );
  expect([calls > 100, scene.files()]).toEqual([true, before]);
  return { scene, before, after, calls, [Symbol.dispose]: () => scene[Symbol.dispose]() };
}

/** Files that are neither as before nor as after; those that an undo puts beside them do not count. */
function unknownIn({ scene, before, after }: ChangedScene): string[] {
  const known = new Set([...Object.entries(before), ...Object.entries(after)].map((each) => each.join(" ")));
  return Object.entries(withoutOurs(scene.files()))
    .map((each) => each.join(" "))
    .filter((each) => !known.has(each));
}

test(
  "killed at any call, each file has its old or its new content, and undoing again finishes",
  async () => {
    using changed = await changedScene();
    const { scene, before, calls } = changed;
    for (let kill = 0; kill < calls; kill += 1) {
      scene.restore();
      // From then on nothing works, tidying up included.
      const dead = watchedDisk(nodeDisk, (call) => {
        if (call >= kill) throw systemError("EIO");
      });
      await scene.undo({}, dead).catch(() => undefined);
      await scene.removeLocks();
      expect({ kill, unknown: unknownIn(changed) }).toEqual({ kill, unknown: [] });
      // Killed after the last record was written, there is nothing left to finish.
      await scene.undo().catch((error: unknown) => {
        if (!(error instanceof ProtocolError && error.code === "not_found")) throw error;
      });
      expect({ kill, files: scene.files() }).toEqual({ kill, files: before });
    }
  },
  timeout,
);

test("killed before a run and finished after it, the model is still told of every file", async () => {
  using scene = project();
  await scene.run(change);
  let renames = 0;
  const dead = watchedDisk(nodeDisk, (_call, name) => {
    renames += name === "rename" ? 1 : 0;
    if (renames > 1) throw systemError("EIO");
  });
  await scene.undo({}, dead).catch(() => undefined);
  await scene.removeLocks();
  await scene.undo();
  const undone = (await scene.records()).flatMap((each) => (each.type === "undo" ? each.paths : []));
  expect(undone.toSorted()).toEqual(
    ["a.ts", "b.ts", "new/n.ts", "sub/m.ts", "sub/o.ts"].map((name) => scene.in(name)),
  );
});

test.each(["EIO", "ENOSPC"])(
  "%s at any call leaves everything as it was, or everything put back, and says so",
  async (code) => {
    using changed = await changedScene();
    const { scene, before, after, calls } = changed;
    for (let failing = 0; failing < calls; failing += 1) {
      scene.restore();
      let failed = "";
      const disk = watchedDisk(nodeDisk, (call, name) => {
        if (call !== failing) return;
        failed = name;
        throw systemError(code);
      });
      const told = await scene.undo({}, disk).then(
        () => "done",
        (error: unknown) => (error instanceof ProtocolError ? error.code : String(error)),
      );
      // A file of ours that the disk does not remove lies about; nothing else does.
      const files = failed === "unlink" ? withoutOurs(scene.files()) : scene.files();
      const isPutBack = told === "done" || JSON.stringify(files) === JSON.stringify(before);
      expect({ failing, failed, files }).toEqual({ failing, failed, files: isPutBack ? before : after });
      // Sessions are looked for without asking why a folder cannot be listed.
      expect(["done", "storage", "unreadable", "not_found"]).toContain(told);
      await scene.removeLocks();
      await scene.undo().catch(() => undefined);
      expect({ failing, files: withoutOurs(scene.files()) }).toEqual({ failing, files: before });
    }
  },
  timeout,
);

test("what could not be taken back is named with the place of its content, and undoing again finishes", async () => {
  using changed = await changedScene();
  const { scene, before } = changed;
  scene.restore();
  let renames = 0;
  // One file is put back; then the next one fails, and the first cannot be taken back.
  const disk = watchedDisk(nodeDisk, (_call, name, path) => {
    renames += name === "rename" ? 1 : 0;
    const isFailing = name === "rename" ? renames > 1 : name === "link" && path.endsWith("/b.ts");
    if (isFailing) throw systemError("EIO");
  });
  const { code, message, hint } = await scene.refusal({}, disk);
  const [kept = ""] = readdirSync(scene.in()).filter((name) => name.endsWith(".tmp"));
  expect({ code, message, hint }).toEqual({
    code: "storage",
    message:
      `${scene.in("b.ts")}: cannot be put back: the disk reported an error (EIO); these were put back already, and ` +
      `stay so:\n  ${scene.in("a.ts")} (what it was until now is in ${scene.in(kept)})`,
    hint: "All others were left as they are. Mend the cause and undo again.",
  });
  expect([scene.contents()["a.ts"], scene.contents()[kept]]).toEqual(["a\n", "A\n"]);
  await scene.removeLocks();
  await scene.undo();
  expect(scene.files()).toEqual(before);
});

function withoutOurs(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([name]) => !name.includes(".codelia-undo-")));
}
