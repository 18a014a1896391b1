import { expect, test } from "bun:test";
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createWriteTool, type WriteArguments } from "../../src/tools/write.ts";
import { execute, FileToolScene, output, refusal, refusalOf, requestBytes } from "./file-tool-scene.ts";

function write(scene: FileToolScene, args: WriteArguments): Promise<string> {
  return output(createWriteTool(scene.environment), args);
}

function refused(scene: FileToolScene, args: WriteArguments): Promise<string> {
  return refusal(createWriteTool(scene.environment), args);
}

test("a new file is created with its directories and nothing else", async () => {
  using scene = new FileToolScene({});
  expect(await write(scene, { path: "a/b/c.txt", content: "one\ntwo\n" })).toBe(
    "Created a/b/c.txt: 8 bytes, 2 lines.\n",
  );
  expect(scene.text("a/b/c.txt")).toBe("one\ntwo\n");
  expect(readdirSync(scene.in("a/b"))).toEqual(["c.txt"]);
});

test("a call shows the person what it would write, and where, with control characters made visible", async () => {
  using scene = new FileToolScene({ "a.txt": "one\ntwo\nthree\n" });
  const tool = createWriteTool(scene.environment);
  const fresh = await tool.prepare({ path: "n.txt", content: "x\u001b[2J\n" });
  await scene.see("a.txt");
  const over = await tool.prepare({ path: "a.txt", content: "one\nTWO\nthree\n" });
  expect(
    [fresh, over].map(({ title, paths, access, preview }) => ({ title, paths, access, preview })),
  ).toEqual([
    {
      title: "write n.txt (1 line)",
      paths: [scene.in("n.txt")],
      access: { kind: "write", paths: [scene.in("n.txt")] },
      preview: "--- (new file)\n+++ n.txt\n@@ -0,0 +1,1 @@\n+x\\u001b[2J",
    },
    {
      title: "write a.txt (3 lines)",
      paths: [scene.in("a.txt")],
      access: { kind: "write", paths: [scene.in("a.txt")] },
      preview: "--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three",
    },
  ]);
  expect(readdirSync(scene.in())).toEqual(["a.txt"]);
});

test("a file that was read is overwritten and keeps its mode; the next write needs no new read", async () => {
  using scene = new FileToolScene({ "run.sh": "old\n" });
  chmodSync(scene.in("run.sh"), 0o755);
  await scene.see("run.sh");
  expect(await write(scene, { path: "run.sh", content: "new" })).toBe("Overwrote run.sh: 3 bytes, 1 line.\n");
  expect(await write(scene, { path: "run.sh", content: "" })).toBe("Overwrote run.sh: 0 bytes, 0 lines.\n");
  expect({ text: scene.text("run.sh"), mode: scene.mode("run.sh"), left: readdirSync(scene.in()) }).toEqual({
    text: "",
    mode: 0o755,
    left: ["run.sh"],
  });
});

test("an existing file that the model has not read, or that changed since, is not overwritten", async () => {
  using scene = new FileToolScene({ "a.txt": "old\n", "b.bin": Uint8Array.of(1, 0, 2) });
  expect(await refused(scene, { path: "a.txt", content: "new\n" })).toBe(
    "You have not read a.txt. Nothing was changed; read it first, then repeat.",
  );
  await scene.see("a.txt");
  writeFileSync(scene.in("a.txt"), "someone else\n");
  expect(await refused(scene, { path: "a.txt", content: "new\n" })).toBe(
    "a.txt has changed since you read it. Nothing was changed; read it again, then repeat.",
  );
  expect(await refused(scene, { path: "b.bin", content: "new\n" })).toBe(
    "b.bin exists and is a binary file. Nothing was changed; remove it with a command to replace it.",
  );
  expect(scene.text("a.txt")).toBe("someone else\n");
});

test("a file that changes between permission and execution is not overwritten", async () => {
  using scene = new FileToolScene({ "a.txt": "old\n" });
  const tool = createWriteTool(scene.environment);
  await scene.see("a.txt");
  const over = await tool.prepare({ path: "a.txt", content: "mine\n" });
  const fresh = await tool.prepare({ path: "b.txt", content: "mine\n" });
  writeFileSync(scene.in("a.txt"), "theirs\n");
  writeFileSync(scene.in("b.txt"), "theirs\n");
  expect([await refusalOf(() => execute(over)), await refusalOf(() => execute(fresh))]).toEqual([
    "a.txt has changed since you read it. Nothing was changed; read it again, then repeat.",
    "You have not read b.txt. Nothing was changed; read it first, then repeat.",
  ]);
  expect([scene.text("a.txt"), scene.text("b.txt")]).toEqual(["theirs\n", "theirs\n"]);
});

test("CRLF and byte order mark of the file stay, because read does not show them", async () => {
  using scene = new FileToolScene({ "a.txt": "\ufeffone\r\ntwo\r\n" });
  await scene.see("a.txt");
  expect(await write(scene, { path: "a.txt", content: "1\n2\n" })).toBe(
    "Overwrote a.txt: 9 bytes, 2 lines, kept the byte order mark and CRLF line endings.\n",
  );
  expect(scene.text("a.txt")).toBe("\ufeff1\r\n2\r\n");
});

test("a link is written through to its target, near, dangling or in a chain, and stays a link", async () => {
  using scene = new FileToolScene({
    "real.txt": "old\n",
    link: { link: "chain" },
    chain: { link: "real.txt" },
    dangling: { link: "deep/new.txt" },
  });
  await scene.see("link");
  await write(scene, { path: "link", content: "new\n" });
  await write(scene, { path: "dangling", content: "made\n" });
  expect({
    real: scene.text("real.txt"),
    made: scene.text("deep/new.txt"),
    links: ["link", "chain", "dangling"].map((name) => readlinkSync(scene.in(name))),
  }).toEqual({ real: "new\n", made: "made\n", links: ["chain", "real.txt", "deep/new.txt"] });
});

test("a write through a link asks permission for the place where it happens", async () => {
  using scene = new FileToolScene({});
  scene.add({ "outside/": "", "work/door": { link: "../outside" } });
  const { access } = await createWriteTool(scene.environment).prepare({ path: "door/x", content: "" });
  expect(access).toEqual({ kind: "write", paths: [scene.in("door/x"), scene.at("outside/x")] });
});

test("a directory that becomes a link after permission was given is not written through", async () => {
  using scene = new FileToolScene({ "sub/": "", "known/a.txt": "old\n" });
  scene.add({ "outside/a.txt": "old\n" });
  await scene.see("known/a.txt");
  const tool = createWriteTool(scene.environment);
  const calls = [
    await tool.prepare({ path: "sub/x.txt", content: "mine" }),
    await tool.prepare({ path: "sub/deep/x.txt", content: "mine" }),
    await tool.prepare({ path: "known/a.txt", content: "mine" }),
  ];
  for (const name of ["sub", "known"]) {
    renameSync(scene.in(name), scene.in(`${name}-aside`));
    symlinkSync(scene.at("outside"), scene.in(name));
  }
  const told = [];
  for (const call of calls) told.push(await refusalOf(() => execute(call)));
  const advice =
    "was moved or replaced by a link while this call was under way. Nothing was done; try again.";
  expect(told).toEqual([`sub/x.txt ${advice}`, `sub/deep/x.txt ${advice}`, `known/a.txt ${advice}`]);
  expect(readdirSync(scene.at("outside"))).toEqual(["a.txt"]);
  expect(scene.text("../outside/a.txt")).toBe("old\n");
});

test("a file that becomes a link after permission was given is not written through", async () => {
  using scene = new FileToolScene({});
  scene.add({ "outside/": "" });
  const call = await createWriteTool(scene.environment).prepare({ path: "new.txt", content: "mine" });
  symlinkSync(scene.at("outside/taken.txt"), scene.in("new.txt"));
  expect(await refusalOf(() => execute(call))).toBe(
    "new.txt was moved or replaced by a link while this call was under way. Nothing was done; try again.",
  );
  expect(readdirSync(scene.at("outside"))).toEqual([]);
});

test("directories and special files are refused and stay", async () => {
  using scene = new FileToolScene({ "folder/": "", pipe: { fifo: true }, file: "x" });
  const told = [];
  for (const path of ["folder", "pipe", "/dev/null", "file/x", "/"])
    told.push(await refused(scene, { path, content: "x" }));
  expect(told).toEqual([
    "folder is a directory, not a file. Use `list` to see what is in it.",
    "pipe is a named pipe (FIFO), not a regular file. Choose a regular file.",
    "/dev/null is a device, not a regular file. Choose a regular file.",
    "file/x lies below something that is no directory. Check the path with `list`.",
    "/ is a directory, not a file. Use `list` to see what is in it.",
  ]);
  expect(lstatSync(scene.in("pipe")).isFIFO()).toBe(true);
});

test("a name as long as a name can be is written", async () => {
  using scene = new FileToolScene({});
  const name = "n".repeat(255);
  await write(scene, { path: name, content: "x" });
  expect(readdirSync(scene.in())).toEqual([name]);
});

test("text that no file can hold is refused", async () => {
  using scene = new FileToolScene({});
  expect(await refused(scene, { path: "a", content: "\ud800" })).toBe(
    "The text holds half of a surrogate pair, which no file can hold. Send the whole character.",
  );
  expect(readdirSync(scene.in())).toEqual([]);
});

test("its description costs little in every request", () => {
  using scene = new FileToolScene({});
  expect(requestBytes(createWriteTool(scene.environment))).toBeLessThan(600);
});
