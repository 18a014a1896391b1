import { expect, test } from "bun:test";
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createEditTool, type EditArguments } from "../../src/tools/edit.ts";
import { execute, FileToolScene, output, refusal, refusalOf, requestBytes } from "./file-tool-scene.ts";

async function edit(scene: FileToolScene, args: EditArguments): Promise<string> {
  await scene.see(args.path);
  return await output(createEditTool(scene.environment), args);
}

async function refused(scene: FileToolScene, args: EditArguments): Promise<string> {
  await scene.see(args.path);
  return await refusal(createEditTool(scene.environment), args);
}

test("the only occurrence is replaced, and the model is told where", async () => {
  using scene = new FileToolScene({ "a.ts": "one\ntwo\nthree\n" });
  expect(await edit(scene, { path: "a.ts", old: "two\n", new: "2a\n2b\n" })).toBe(
    "Edited a.ts: 1 replacement, now lines 2–3.\n",
  );
  expect(scene.text("a.ts")).toBe("one\n2a\n2b\nthree\n");
});

test("a person is shown the change with two lines around it", async () => {
  using scene = new FileToolScene({ "a.ts": "1\n2\n3\n4\n5\n6\n7\n" });
  await scene.see("a.ts");
  const call = await createEditTool(scene.environment).prepare({ path: "a.ts", old: "4", new: "four\u001b" });
  const { title, paths, access, preview } = call;
  expect({ title, paths, access, preview }).toEqual({
    title: "edit a.ts",
    paths: [scene.in("a.ts")],
    access: { kind: "write", paths: [scene.in("a.ts")] },
    preview: "--- a.ts\n+++ a.ts\n@@ -2,5 +2,5 @@\n 2\n 3\n-4\n+four\\u001b\n 5\n 6",
  });
  expect(scene.text("a.ts")).toBe("1\n2\n3\n4\n5\n6\n7\n");
});

test("several edits follow each other without reading again, also when they were prepared together", async () => {
  using scene = new FileToolScene({ "a.ts": "a\nb\n" });
  await scene.see("a.ts");
  const tool = createEditTool(scene.environment);
  const calls = [
    await tool.prepare({ path: "a.ts", old: "a", new: "A\nA" }),
    await tool.prepare({ path: "a.ts", old: "b", new: "B" }),
  ];
  expect([await execute(calls[0] ?? fail()), await execute(calls[1] ?? fail())]).toEqual([
    "Edited a.ts: 1 replacement, now lines 1–2.\n",
    "Edited a.ts: 1 replacement, now line 3.\n",
  ]);
  expect(scene.text("a.ts")).toBe("A\nA\nB\n");
});

function fail(): never {
  throw new Error("no call");
}

test("text that looks like a replacement pattern is put in as it is", async () => {
  using scene = new FileToolScene({ "a.ts": "x(old)y" });
  await edit(scene, { path: "a.ts", old: "(old)", new: "$&$1$`$'$$\\0" });
  expect(scene.text("a.ts")).toBe("x$&$1$`$'$$\\0y");
});

test("several occurrences are refused with their lines, and replaced with all", async () => {
  using scene = new FileToolScene({ "a.ts": "x = 1\ny\nx = 1\nx = 1\n" });
  expect(await refused(scene, { path: "a.ts", old: "x = 1", new: "z" })).toBe(
    "`old` occurs 3 times in a.ts, on lines 1, 3, 4. Nothing was changed. " +
      "Add lines around it until it is unique, or set `all`.",
  );
  expect(scene.text("a.ts")).toBe("x = 1\ny\nx = 1\nx = 1\n");
  expect(await edit(scene, { path: "a.ts", old: "x = 1", new: "z", all: true })).toBe(
    "Edited a.ts: 3 replacements, now lines 1, 3, 4.\n",
  );
  expect(scene.text("a.ts")).toBe("z\ny\nz\nz\n");
});

test("occurrences that overlap are ambiguous too", async () => {
  using scene = new FileToolScene({ "a.ts": "aXaXa" });
  expect(await refused(scene, { path: "a.ts", old: "aXa", new: "b" })).toBe(
    "`old` occurs 2 times in a.ts, on lines 1, 1. Nothing was changed. " +
      "Add lines around it until it is unique, or set `all`.",
  );
});

test("text that is not there is refused with what comes nearest", async () => {
  using scene = new FileToolScene({ "a.ts": "function alpha() {\n    return 1;\n}\nconst beta = 2;\n" });
  const told = [];
  for (const old of [
    "function alpha() {\n  return 1;\n}",
    "const betta = 2;",
    "    2\t    return 1;",
    "@@@@",
    "\n\n\n",
  ]) {
    told.push(await refused(scene, { path: "a.ts", old, new: "x" }));
  }
  const head = "`old` does not occur in a.ts. Nothing was changed.\n";
  expect(told).toEqual([
    `${head}Lines 1–3 differ only in white space:\n    1\tfunction alpha() {\n    2\t    return 1;\n    3\t}`,
    `${head}Similar lines:\n    4\tconst beta = 2;`,
    `${head}\`old\` holds the line numbers that \`read\` shows. Leave out each number and the tab after it.`,
    `${head}No line is similar. Read the file again.`,
    `${head}No line is similar. Read the file again.`,
  ]);
});

test("an edit that is none is refused", async () => {
  using scene = new FileToolScene({ "a.ts": "a\r\nb\r\n" });
  expect([
    await refused(scene, { path: "a.ts", old: "", new: "x" }),
    await refused(scene, { path: "a.ts", old: "a", new: "a" }),
    await refused(scene, { path: "a.ts", old: "a\nb", new: "a\r\nb" }),
  ]).toEqual([
    "`old` is empty. Give the text to replace, or use `write` for a whole file.",
    "`old` and `new` are the same. Nothing was changed.",
    "`old` and `new` differ only in line endings, which are kept.",
  ]);
});

test("LF text is found in a file with CRLF and byte order mark, which both stay, as does the missing newline", async () => {
  using scene = new FileToolScene({ "a.txt": "\ufeffone\r\ntwo\r\nthree" });
  chmodSync(scene.in("a.txt"), 0o755);
  expect(await edit(scene, { path: "a.txt", old: "one\ntwo\n", new: "1\n\n2\n" })).toBe(
    "Edited a.txt: 1 replacement, now lines 1–3.\n",
  );
  expect({ text: scene.text("a.txt"), mode: scene.mode("a.txt"), files: readdirSync(scene.in()) }).toEqual({
    text: "\ufeff1\r\n\r\n2\r\nthree",
    mode: 0o755,
    files: ["a.txt"],
  });
});

test("in a file with mixed endings every untouched byte stays, and new lines are like those they replace", async () => {
  using scene = new FileToolScene({ "a.txt": "a\nb\r\nc\r\nd\ne\n" });
  await edit(scene, { path: "a.txt", old: "b\nc\n", new: "B\nx\nC\n" });
  await edit(scene, { path: "a.txt", old: "d\n", new: "D\nD\n" });
  expect(scene.text("a.txt")).toBe("a\nB\r\nx\r\nC\r\nD\nD\ne\n");
});

test("CRLF text is found in a file with LF only", async () => {
  using scene = new FileToolScene({ "a.txt": "a\nb\n" });
  await edit(scene, { path: "a.txt", old: "a\r\nb", new: "c\r\nd" });
  expect(scene.text("a.txt")).toBe("c\nd\n");
});

test("a file that was not read, or changed since, or vanished, is left alone", async () => {
  using scene = new FileToolScene({ "a.ts": "a\n", "b.ts": "b\n" });
  const tool = createEditTool(scene.environment);
  const args = { path: "a.ts", old: "a", new: "x" };
  const told = [await refusal(tool, args), await refusal(tool, { ...args, path: "none.ts" })];
  await scene.see("a.ts", "b.ts");
  writeFileSync(scene.in("a.ts"), "a \n");
  told.push(await refusal(tool, args));
  rmSync(scene.in("b.ts"));
  told.push(await refusal(tool, { ...args, path: "b.ts" }));
  expect(told).toEqual([
    "You have not read a.ts. Nothing was changed; read it first, then repeat.",
    "You have not read none.ts. Nothing was changed; read it first, then repeat.",
    "a.ts has changed since you read it. Nothing was changed; read it again, then repeat.",
    "b.ts does not exist. Check the name with `list`.",
  ]);
  expect(scene.text("a.ts")).toBe("a \n");
});

test("a file that changes between permission and execution is left alone", async () => {
  using scene = new FileToolScene({ "a.ts": "a\n" });
  await scene.see("a.ts");
  const call = await createEditTool(scene.environment).prepare({ path: "a.ts", old: "a", new: "x" });
  writeFileSync(scene.in("a.ts"), "a, and someone's work\n");
  expect(await refusalOf(() => execute(call))).toBe(
    "a.ts has changed since you read it. Nothing was changed; read it again, then repeat.",
  );
  expect(scene.text("a.ts")).toBe("a, and someone's work\n");
});

test("before permission is given an unread file is not looked at", async () => {
  using scene = new FileToolScene({ "secret.txt": "password\n" });
  const tool = createEditTool(scene.environment);
  const present = await refusalOf(() => tool.prepare({ path: "secret.txt", old: "passwort", new: "" }));
  const absent = await refusalOf(() => tool.prepare({ path: "absent.txt", old: "passwort", new: "" }));
  expect(present.replaceAll("secret", "absent")).toBe(absent);
});

test("invalid UTF-8 is not edited, because its bytes would be lost", async () => {
  const bytes = Uint8Array.of(0x61, 0xe9, 0x0a);
  using scene = new FileToolScene({ "latin1.txt": bytes });
  expect(await refused(scene, { path: "latin1.txt", old: "a", new: "b" })).toBe(
    "latin1.txt holds bytes that are not valid UTF-8, which this change would destroy. Nothing was changed; " +
      "convert it first (iconv) or change it with a command.",
  );
  expect(new Uint8Array(readFileSync(scene.in("latin1.txt")))).toEqual(bytes);
});

test("a file that grew over the limit since it was read is refused by size", async () => {
  using scene = new FileToolScene({ "a.log": "a\n" });
  await scene.see("a.log");
  const file = openSync(scene.in("a.log"), "r+");
  ftruncateSync(file, 2 ** 31);
  closeSync(file);
  expect(await refusal(createEditTool(scene.environment), { path: "a.log", old: "a", new: "b" })).toBe(
    "a.log has 2 GiB; files over 16 MiB cannot be changed with this tool. Use a command (sed, split) instead.",
  );
});

test("text that no file can hold is refused", async () => {
  using scene = new FileToolScene({ "a.ts": "a\n" });
  expect(await refused(scene, { path: "a.ts", old: "a", new: "\udc00" })).toBe(
    "The text holds half of a surrogate pair, which no file can hold. Send the whole character.",
  );
});

test("a long preview is cut and says so", async () => {
  using scene = new FileToolScene({ "a.ts": "x\n".repeat(1000) });
  await scene.see("a.ts");
  const call = await createEditTool(scene.environment).prepare({
    path: "a.ts",
    old: "x",
    new: "y",
    all: true,
  });
  const lines = call.preview?.split("\n") ?? [];
  expect([lines.length, lines.at(-1)]).toEqual([203, "… 1801 more lines of this diff"]);
});

test("its description costs little in every request", () => {
  using scene = new FileToolScene({});
  expect(requestBytes(createEditTool(scene.environment))).toBeLessThan(600);
});
