import { expect, test } from "bun:test";
import { renameSync, symlinkSync } from "node:fs";
import { type Disk, nodeDisk } from "@codelia/storage";
import { createListTool } from "../../src/tools/list.ts";
import {
  execute,
  FileToolScene,
  output,
  refusal,
  refusalOf,
  requestBytes,
  systemError,
} from "./file-tool-scene.ts";

test("a directory is shown as a sorted tree of two levels with sizes, links and hidden entries", async () => {
  using scene = new FileToolScene({
    "b.txt": "12345",
    "a/deep/deeper.txt": "x",
    "a/big.bin": new Uint8Array(1536),
    ".hidden": "",
    "to-a": { link: "a" },
    dangling: { link: "no\nwhere" },
    pipe: { fifo: true },
    "ünï.txt": "é",
    "B.txt": "1",
  });
  expect(await output(createListTool(scene.environment), {})).toBe(
    [
      "./",
      "  .hidden  0 bytes",
      "  B.txt  1 byte",
      "  a/",
      "    big.bin  1.5 KiB",
      "    deep/",
      "  b.txt  5 bytes",
      '  dangling -> "no\\nwhere"',
      "  pipe  [named pipe (FIFO)]",
      "  to-a -> a",
      "  ünï.txt  2 bytes",
      "",
    ].join("\n"),
  );
});

test("a call names its directory before it is executed", async () => {
  using scene = new FileToolScene({ "a/": "", link: { link: "a" } });
  const { title, paths, access } = await createListTool(scene.environment).prepare({ path: "link" });
  expect({ title, paths, access }).toEqual({
    title: "list link",
    paths: [scene.in("link")],
    access: { kind: "read", paths: [scene.in("link"), scene.in("a")] },
  });
});

test("depth says how many levels are shown", async () => {
  using scene = new FileToolScene({ "a/b/c/d.txt": "x" });
  const tool = createListTool(scene.environment);
  expect(await output(tool, { depth: 1 })).toBe("./\n  a/\n");
  expect(await output(tool, { path: "a", depth: 3 })).toBe("a/\n  b/\n    c/\n      d.txt  1 byte\n");
});

test(".git and node_modules are not looked into unless they are named", async () => {
  using scene = new FileToolScene({
    ".git/config": "x",
    "node_modules/p/index.js": "",
    "a/node_modules/q/": "",
  });
  const tool = createListTool(scene.environment);
  expect(await output(tool, { depth: 4 })).toBe(
    "./\n  .git/  [not listed]\n  a/\n    node_modules/  [not listed]\n  node_modules/  [not listed]\n",
  );
  expect(await output(tool, { path: "node_modules" })).toBe("node_modules/\n  p/\n    index.js  0 bytes\n");
});

test("names with control characters are escaped", async () => {
  using scene = new FileToolScene({ "a\nb\u001b[31m": "" });
  expect(await output(createListTool(scene.environment), {})).toBe('./\n  "a\\nb\\u001b[31m"  0 bytes\n');
});

test("at most 500 entries are shown, the nearest first, and the rest is counted", async () => {
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`a/f${1000 + index}`, ""]));
  using scene = new FileToolScene({ ...many, "b.txt": "", "c/x": "" });
  const lines = (await output(createListTool(scene.environment), {})).split("\n");
  expect([lines.length, ...lines.slice(0, 3), ...lines.slice(-7)]).toEqual([
    505,
    "./",
    "  a/",
    "    f1000  0 bytes",
    "    f1496  0 bytes",
    "    [103 more]",
    "  b.txt  0 bytes",
    "  c/",
    "    [1 more]",
    "[104 more not shown: list a directory below, or use glob]",
    "",
  ]);
});

test("an empty directory says so", async () => {
  using scene = new FileToolScene({ "a/": "" });
  expect(await output(createListTool(scene.environment), { path: "a" })).toBe("a is an empty directory.\n");
});

test("what is no directory, or not there, is refused", async () => {
  using scene = new FileToolScene({ "a.txt": "", loop: { link: "loop" } });
  const told = [];
  for (const path of ["a.txt", "none", "loop", "a.txt/b", "/dev/zero"]) {
    told.push(await refusal(createListTool(scene.environment), { path }));
  }
  expect(told).toEqual([
    "a.txt is not a directory. Use `read` for files, or list its parent.",
    "none does not exist. Check the name with `list`.",
    "loop is a symbolic link that leads in a circle. Name the file itself.",
    "a.txt/b lies below something that is no directory. Check the path with `list`.",
    "/dev/zero is not a directory. Use `read` for files, or list its parent.",
  ]);
});

test("a directory that becomes a link after permission was given is not listed", async () => {
  using scene = new FileToolScene({ "a/": "" });
  scene.add({ "secret/key": "" });
  const call = await createListTool(scene.environment).prepare({ path: "a" });
  renameSync(scene.in("a"), scene.in("b"));
  symlinkSync(scene.at("secret"), scene.in("a"));
  expect(await refusalOf(() => execute(call))).toBe(
    "a was moved or replaced by a link while this call was under way. Nothing was done; try again.",
  );
});

test("a directory that cannot be read is said at its place; the one that was asked for is refused", async () => {
  using scene = new FileToolScene({ "locked/x": "", "open/y": "" });
  let reads = 0;
  const failingAt = (failing: number): Disk => ({
    ...nodeDisk,
    readdir: async (path) => {
      reads += 1;
      if (reads === failing) throw systemError("EACCES");
      return await nodeDisk.readdir(path);
    },
  });
  expect(await output(createListTool(scene.environment, failingAt(2)), {})).toBe(
    "./\n  locked/  [cannot be read: permission denied]\n  open/\n    y  0 bytes\n",
  );
  reads = 0;
  expect(await refusal(createListTool(scene.environment, failingAt(1)), {})).toBe(
    ". cannot be accessed: permission denied. Ask the user to change its permissions.",
  );
});

test("its description costs little in every request", () => {
  using scene = new FileToolScene({});
  expect(requestBytes(createListTool(scene.environment))).toBeLessThan(600);
});
