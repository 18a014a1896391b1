// Failures in the middle of a patch: all of it happens, or none.
import { expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { type Disk, nodeDisk } from "@codelia/storage";
import { createApplyPatchTool } from "../../src/tools/apply-patch.ts";
import { FileToolScene, output, refusal, systemError } from "./file-tool-scene.ts";

function envelope(...lines: string[]): { patch: string } {
  return { patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") };
}

const before = { "a.ts": "a\n", "b.ts": "b\n", "c.ts": "c\n", "d.ts": "d\n" };
const several = envelope(
  "*** Update File: a.ts",
  "-a",
  "+A",
  "*** Add File: new/e.ts",
  "+e",
  "*** Add File: new/f.ts",
  "+f",
  "*** Update File: b.ts",
  "*** Move to: moved/b.ts",
  "-b",
  "+B",
  "*** Delete File: c.ts",
  "*** Update File: d.ts",
  "-d",
  "+D",
);

function state(scene: FileToolScene): Record<string, string> {
  const names = readdirSync(scene.in(), { recursive: true, encoding: "utf8" }).toSorted();
  const contentOf = (name: string) => (statSync(scene.in(name)).isFile() ? scene.text(name) : "directory");
  return Object.fromEntries(names.map((name) => [name, contentOf(name)]));
}

const after = {
  "a.ts": "A\n",
  "d.ts": "D\n",
  moved: "directory",
  "moved/b.ts": "B\n",
  new: "directory",
  "new/e.ts": "e\n",
  "new/f.ts": "f\n",
};

/** Fails one call that changes something, and only that one. */
function failingDisk(failing: number): { disk: Disk; calls: () => number } {
  let calls = 0;
  const guarded = async <T>(action: () => Promise<T>): Promise<T> => {
    calls += 1;
    if (calls - 1 === failing) throw systemError("EIO");
    return await action();
  };
  const disk: Disk = {
    ...nodeDisk,
    open: (path, flags, mode) =>
      mode === undefined ? nodeDisk.open(path, flags) : guarded(() => nodeDisk.open(path, flags, mode)),
    mkdir: (path) => guarded(() => nodeDisk.mkdir(path)),
    link: (existing, added) => guarded(() => nodeDisk.link(existing, added)),
    rename: (from, to) => guarded(() => nodeDisk.rename(from, to)),
  };
  return { disk, calls: () => calls };
}

test("when any step fails, every earlier one is put back and nothing is left lying about", async () => {
  using whole = new FileToolScene(before);
  await whole.see(...Object.keys(before));
  const { disk: counting, calls } = failingDisk(-1);
  await output(createApplyPatchTool(whole.environment, counting), several);
  expect(state(whole)).toEqual(after);
  for (let failing = 0; failing < calls(); failing += 1) {
    using scene = new FileToolScene(before);
    await scene.see(...Object.keys(before));
    const { disk } = failingDisk(failing);
    const told = await refusal(createApplyPatchTool(scene.environment, disk), several).catch(() => "done");
    expect({ failing, state: state(scene) }).toEqual({ failing, state: told === "done" ? after : before });
  }
});

test("what cannot be put back is named, with the place of its old content", async () => {
  using scene = new FileToolScene({ "a.ts": "a\n", "b.ts": "b\n" });
  await scene.see("a.ts", "b.ts");
  // Files are changed side by side: that b.ts fails after a.ts is done has to be arranged.
  const first = Promise.withResolvers<void>();
  let isDone = false;
  const disk: Disk = {
    ...nodeDisk,
    rename: async (from, to) => {
      if (to.endsWith("b.ts")) await first.promise;
      if (isDone) throw systemError("EIO");
      await nodeDisk.rename(from, to);
      isDone = true;
      first.resolve();
    },
  };
  const patch = envelope("*** Update File: a.ts", "-a", "+A", "*** Update File: b.ts", "-b", "+B");
  const told = await refusal(createApplyPatchTool(scene.environment, disk), patch);
  const left = readdirSync(scene.in()).filter((name) => name.endsWith(".tmp"));
  const [kept = ""] = left;
  expect(told).toBe(
    "b.ts cannot be accessed: the device reports an error. Tell the user. " +
      `These could not be put back: a.ts (its old content is in ${scene.in(kept)}). Tell the user.`,
  );
  expect([left.length, scene.text(kept), scene.text("a.ts"), scene.text("b.ts")]).toEqual([
    1,
    "a\n",
    "A\n",
    "b\n",
  ]);
});
