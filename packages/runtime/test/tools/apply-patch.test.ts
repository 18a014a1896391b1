import { expect, test } from "bun:test";
import { chmodSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createApplyPatchTool } from "../../src/tools/apply-patch.ts";
import { execute, FileToolScene, output, refusal, refusalOf, requestBytes } from "./file-tool-scene.ts";

function envelope(...lines: string[]): { patch: string } {
  return { patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") };
}

function apply(scene: FileToolScene, ...lines: string[]): Promise<string> {
  return output(createApplyPatchTool(scene.environment), envelope(...lines));
}

function refused(scene: FileToolScene, ...lines: string[]): Promise<string> {
  return refusal(createApplyPatchTool(scene.environment), envelope(...lines));
}

test("one patch updates, adds, moves and deletes", async () => {
  using scene = new FileToolScene({ "a.ts": "1\n2\n3\n", "b.ts": "x\n", "c.sh": "old\n" });
  chmodSync(scene.in("c.sh"), 0o755);
  await scene.see("a.ts", "b.ts", "c.sh");
  const told = await apply(
    scene,
    "*** Update File: a.ts",
    "@@",
    " 1",
    "-2",
    "+two",
    "*** Add File: new/d.ts",
    "+first",
    "+",
    "*** Delete File: b.ts",
    "*** Update File: c.sh",
    "*** Move to: bin/c.sh",
    "@@",
    "-old",
    "+new",
  );
  expect(told).toBe(
    "Updated a.ts (+1 −1 lines)\nAdded new/d.ts (2 lines)\nDeleted b.ts\nMoved c.sh to bin/c.sh (+1 −1 lines)\n",
  );
  expect({
    a: scene.text("a.ts"),
    d: scene.text("new/d.ts"),
    c: scene.text("bin/c.sh"),
    mode: scene.mode("bin/c.sh"),
    left: readdirSync(scene.in()).toSorted(),
    below: [readdirSync(scene.in("bin")), readdirSync(scene.in("new"))],
  }).toEqual({
    a: "1\ntwo\n3\n",
    d: "first\n\n",
    c: "new\n",
    mode: 0o755,
    left: ["a.ts", "bin", "new"],
    below: [["c.sh"], ["d.ts"]],
  });
});

test("a call names every path, move targets included, and shows the change", async () => {
  using scene = new FileToolScene({ "a.ts": "1\n2\n" });
  await scene.see("a.ts");
  const call = await createApplyPatchTool(scene.environment).prepare(
    envelope("*** Update File: a.ts", "*** Move to: b.ts", "-2", "+two", "*** Add File: c.ts", "+x"),
  );
  const paths = [scene.in("a.ts"), scene.in("b.ts"), scene.in("c.ts")];
  const { title, access, preview } = call;
  expect({ title, paths: call.paths, access, preview }).toEqual({
    title: "apply_patch a.ts, b.ts, c.ts",
    paths,
    access: { kind: "write", paths },
    preview:
      "move a.ts to b.ts\n--- a.ts\n+++ a.ts\n@@ -1,2 +1,2 @@\n 1\n-2\n+two\n" +
      "--- (new file)\n+++ c.ts\n@@ -0,0 +1,1 @@\n+x",
  });
});

test("patched files need no new read, and deleted ones are forgotten", async () => {
  using scene = new FileToolScene({ "a.ts": "1\n", "b.ts": "b\n" });
  await scene.see("a.ts", "b.ts");
  await apply(
    scene,
    "*** Update File: a.ts",
    "-1",
    "+2",
    "*** Add File: c.ts",
    "+c",
    "*** Delete File: b.ts",
  );
  await apply(scene, "*** Update File: a.ts", "-2", "+3", "*** Update File: c.ts", "-c", "+C");
  expect([scene.text("a.ts"), scene.text("c.ts")]).toEqual(["3\n", "C\n"]);
  expect(scene.environment.readVersions.compare(scene.in("b.ts"), new TextEncoder().encode("b\n"))).toBe(
    "unread",
  );
});

test("a context line and the end of the file tell places apart", async () => {
  using scene = new FileToolScene({
    "a.py": "class A:\n  def f():\n    pass\nclass B:\n  def f():\n    pass\n  def g():\n    pass\n",
  });
  await scene.see("a.py");
  await apply(
    scene,
    "*** Update File: a.py",
    "@@ class B:",
    "@@ def f():",
    "-    pass",
    "+    return 1",
    "@@",
    "-    pass",
    "+    return 2",
    "*** End of File",
  );
  await apply(scene, "*** Update File: a.py", "@@ class A:", "+  x = 1", "@@", "+# end", "*** End of File");
  expect(scene.text("a.py")).toBe(
    "class A:\n  x = 1\n  def f():\n    pass\nclass B:\n  def f():\n    return 1\n  def g():\n    return 2\n# end\n",
  );
});

test("CRLF, byte order mark, mode and a missing final newline stay", async () => {
  using scene = new FileToolScene({ "a.txt": "\ufeffone\r\ntwo\r\nthree" });
  chmodSync(scene.in("a.txt"), 0o755);
  await scene.see("a.txt");
  await apply(scene, "*** Update File: a.txt", " one", "+half", "-two", "-three", "+3");
  expect([scene.text("a.txt"), scene.mode("a.txt")]).toEqual(["\ufeffone\r\nhalf\r\n3", 0o755]);
});

test("in a file with mixed endings kept lines keep theirs, and added ones get the more frequent", async () => {
  using scene = new FileToolScene({ "a.txt": "a\nb\r\nc\r\nd" });
  await scene.see("a.txt");
  await apply(scene, "*** Update File: a.txt", " a", "+x", " b", " c", " d", "+e");
  expect(scene.text("a.txt")).toBe("a\nx\r\nb\r\nc\r\nd\r\ne");
});

test("a patch that came with CRLF itself, or with lost spaces on empty lines, is understood", async () => {
  using scene = new FileToolScene({ "a.txt": "a\n\nb\n" });
  await scene.see("a.txt");
  const { patch } = envelope("*** Update File: a.txt", "@@ -1,3 +1,3 @@", " a", "", "-b", "+c", "");
  await output(createApplyPatchTool(scene.environment), { patch: `\n${patch.replaceAll("\n", "\r\n")}\r\n` });
  expect(scene.text("a.txt")).toBe("a\n\nc\n");
});

test("white space at the end of lines may differ where the place is clear, and the file's own stays", async () => {
  using scene = new FileToolScene({ "a.txt": "a  \nb\t\nc\n", "b.txt": "x \ny\nx  \ny\n" });
  await scene.see("a.txt", "b.txt");
  await apply(scene, "*** Update File: a.txt", " a", "-b", "+B");
  expect(scene.text("a.txt")).toBe("a  \nB\nc\n");
  expect(await refused(scene, "*** Update File: b.txt", " x", "-y", "+Y")).toBe(
    'Line 3 of the patch: hunk 1 of b.txt fits several places, at lines 1, 3; add lines around it, or "@@ line above"\nNothing was changed.',
  );
  expect(await refused(scene, "*** Update File: b.txt", "- x", "+Y")).toBe(
    "Line 3 of the patch: hunk 1 of b.txt does not fit: its lines are not in the file.\n" +
      "Line 1 differs only in white space:\n    1\tx \nNothing was changed.",
  );
});

test("a hunk that does not fit is refused with the line of the patch and what the file has", async () => {
  using scene = new FileToolScene({ "a.ts": "1\n2\n3\n4\n", "b.ts": "x\n" });
  await scene.see("a.ts", "b.ts");
  const update = "*** Update File: a.ts";
  const told = [
    await refused(scene, update, " 1", " 2", "-three", "+3"),
    await refused(scene, update, " 3", " 4", "-5"),
    await refused(scene, update, "-4", "+four", "@@", "-1", "+one"),
    await refused(scene, update, "@@ 3", "-2", "+two"),
    await refused(scene, update, "-2", "+two", "*** End of File"),
    await refused(scene, update, "+two"),
    await refused(scene, update, "-const nothing = 1"),
    await refused(scene, "*** Update File: b.ts", "-x", "+y", update, "-2", "+two", "@@", "-nine"),
  ];
  expect(told).toEqual([
    "Line 5 of the patch: hunk 1 of a.ts does not fit. Expected: three\nbut the file has on line 3: 3\nNothing was changed.",
    "Line 5 of the patch: hunk 1 of a.ts does not fit. Expected: 5\nbut the file ends there\nNothing was changed.",
    "Line 5 of the patch: hunk 2 of a.ts fits only above the hunk before it; put the hunks in the order of the file\nNothing was changed.",
    'Line 3 of the patch: hunk 1 of a.ts has its lines in the file, but not below "@@ 3"\nNothing was changed.',
    'Line 3 of the patch: hunk 1 of a.ts has its lines in the file, but not at its end; leave out "*** End of File"\nNothing was changed.',
    'Line 3 of the patch: hunk 1 of a.ts only adds lines and does not say where; add lines around them, or "*** End of File"\nNothing was changed.',
    "Line 3 of the patch: hunk 1 of a.ts does not fit: its lines are not in the file.\nNo line is similar. Read the file again.\nNothing was changed.",
    "Line 8 of the patch: hunk 2 of a.ts does not fit: its lines are not in the file.\nNo line is similar. Read the file again.\nNothing was changed.",
  ]);
  expect([scene.text("a.ts"), scene.text("b.ts")]).toEqual(["1\n2\n3\n4\n", "x\n"]);
});

test("a patch that is none is refused with the line that is wrong", async () => {
  using scene = new FileToolScene({ "a.ts": "1\n" });
  await scene.see("a.ts");
  const tool = createApplyPatchTool(scene.environment);
  const told = [];
  for (const patch of [
    "",
    "--- a.ts\n+++ a.ts",
    "*** Begin Patch\n*** End Patch",
    "*** Begin Patch\n*** Update File: a.ts\n-1",
    "*** Begin Patch\n*** Update File: a.ts\n*** End Patch",
    "*** Begin Patch\n*** Update File: a.ts\n 1\n*** End Patch",
    "*** Begin Patch\n*** Update File: a.ts\n@@\nx\n*** End Patch",
    "*** Begin Patch\n*** Add File: b.ts\nx\n*** End Patch",
    "*** Begin Patch\n*** Add File:\n+x\n*** End Patch",
    "*** Begin Patch\n*** Rename File: b.ts\n*** End Patch",
    "*** Begin Patch\n*** Delete File: a.ts\n*** End Patch\nand more",
    "*** Begin Patch\n*** Delete File: a.ts\n*** Add File: ./a.ts\n+x\n*** End Patch",
  ]) {
    told.push((await refusal(tool, { patch })).replaceAll("\nNothing was changed.", ""));
  }
  expect(told).toEqual([
    'Line 1 of the patch: expected "*** Begin Patch", found: the end of the patch',
    'Line 1 of the patch: expected "*** Begin Patch", found: --- a.ts',
    "The patch names no file. Nothing was changed.",
    'Line 4 of the patch: the patch stops without "*** End Patch", found: the end of the patch',
    'Line 3 of the patch: no hunk follows "*** Update File: a.ts"; expected "@@", found: *** End Patch',
    'Line 3 of the patch: this hunk changes nothing; add "-" or "+" lines. Nothing was changed.',
    'Line 4 of the patch: a line of a hunk begins with " ", "-" or "+", found: x',
    'Line 3 of the patch: every line of a new file begins with "+", found: x',
    'Line 2 of the patch: a path is missing after "*** Add File:", found: *** Add File:',
    'Line 2 of the patch: expected "*** Add File: …", "*** Update File: …", "*** Delete File: …" or the end, found: *** Rename File: b.ts',
    'Line 4 of the patch: nothing may follow "*** End Patch", found: and more',
    "Line 3 of the patch: a.ts is named already on line 2. Nothing was changed; put everything about a file under one header.",
  ]);
  expect(scene.text("a.ts")).toBe("1\n");
});

test("files that were not read, changed, are binary or no UTF-8 stop the whole patch", async () => {
  using scene = new FileToolScene({ "a.ts": "1\n", "b.ts": "1\n", "latin1.txt": Uint8Array.of(0xe9, 0x0a) });
  await scene.see("a.ts", "latin1.txt");
  const first = ["*** Update File: a.ts", "-1", "+2"];
  const told = [
    await refused(scene, ...first, "*** Update File: b.ts", "-1", "+2", "*** Delete File: none.ts"),
  ];
  told.push(await refused(scene, ...first, "*** Update File: latin1.txt", "+x", "*** End of File"));
  await scene.see("b.ts");
  writeFileSync(scene.in("b.ts"), "1 \n");
  told.push(await refused(scene, ...first, "*** Delete File: b.ts"));
  expect(told).toEqual([
    "You have not read b.ts, none.ts. Nothing was changed; read it first, then repeat.",
    "latin1.txt holds bytes that are not valid UTF-8, which this change would destroy. Nothing was changed; convert it first (iconv) or change it with a command.",
    "b.ts has changed since you read it. Nothing was changed; read it again, then repeat.",
  ]);
  expect([scene.text("a.ts"), scene.text("b.ts")]).toEqual(["1\n", "1 \n"]);
});

test("nothing is added or moved over what exists, not even a link or a file that appears late", async () => {
  using scene = new FileToolScene({ "a.ts": "1\n", "b.ts": "b\n", dangling: { link: "gone" }, "dir/": "" });
  await scene.see("a.ts");
  const update = ["*** Update File: a.ts", "-1", "+2"];
  const told = [
    await refused(scene, ...update, "*** Add File: b.ts", "+x"),
    await refused(scene, "*** Update File: a.ts", "*** Move to: b.ts", "-1", "+2"),
    await refused(scene, ...update, "*** Add File: dir", "+x"),
  ];
  const call = await createApplyPatchTool(scene.environment).prepare(
    envelope(...update, "*** Add File: late.ts", "+x"),
  );
  symlinkSync("b.ts", scene.in("late.ts"));
  told.push(await refusalOf(() => execute(call)));
  expect(told).toEqual([
    "Line 5 of the patch: b.ts exists already. Nothing was changed; update it, or choose another name.",
    "Line 2 of the patch: b.ts exists already. Nothing was changed; update it, or choose another name.",
    "Line 5 of the patch: dir exists already. Nothing was changed; update it, or choose another name.",
    "Line 5 of the patch: late.ts exists already. Nothing was changed; update it, or choose another name.",
  ]);
  expect([scene.text("a.ts"), scene.text("b.ts")]).toEqual(["1\n", "b\n"]);
});

test("a link is updated through, but neither deleted nor moved by its target", async () => {
  using scene = new FileToolScene({ "real.ts": "1\n", link: { link: "real.ts" } });
  await scene.see("link");
  await apply(scene, "*** Update File: link", "-1", "+2");
  const advice = "Nothing was changed; name the file itself, or remove the link with a command.";
  expect([
    await refused(scene, "*** Delete File: link"),
    await refused(scene, "*** Update File: link", "*** Move to: x.ts", "-2", "+3"),
  ]).toEqual([
    `Line 2 of the patch: link is a symbolic link to ${scene.in("real.ts")}. ${advice}`,
    `Line 2 of the patch: link is a symbolic link to ${scene.in("real.ts")}. ${advice}`,
  ]);
  expect(scene.text("real.ts")).toBe("2\n");
});

test("a directory that becomes a link after permission was given stops the whole patch", async () => {
  using scene = new FileToolScene({ "a.ts": "1\n", "sub/": "" });
  scene.add({ "outside/": "" });
  await scene.see("a.ts");
  const patch = envelope("*** Update File: a.ts", "-1", "+2", "*** Add File: sub/x.ts", "+x");
  const call = await createApplyPatchTool(scene.environment).prepare(patch);
  renameSync(scene.in("sub"), scene.in("aside"));
  symlinkSync(scene.at("outside"), scene.in("sub"));
  expect(await refusalOf(() => execute(call))).toBe(
    "sub/x.ts was moved or replaced by a link while this call was under way. Nothing was done; try again.",
  );
  expect([scene.text("a.ts"), readdirSync(scene.at("outside"))]).toEqual(["1\n", []]);
});

test("its description costs little in every request", () => {
  using scene = new FileToolScene({});
  expect(requestBytes(createApplyPatchTool(scene.environment))).toBeLessThan(600);
});
