import { describe, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { z } from "zod";
import { TemporaryTree } from "../../../../test/support/tree.ts";
import { createGrepTool } from "../../src/tools/grep.ts";
import { announced, environmentAt, failure, runTool } from "./tool-run.ts";

const none = () => Promise.resolve(undefined);
const engines = [
  ["ripgrep", {}],
  ["the built-in search", { ripgrep: none }],
] as const;

test("grep's schema and description are small", () => {
  using tree = new TemporaryTree({});
  const { parameters, description } = createGrepTool(environmentAt(tree.path));
  expect(JSON.stringify(z.toJSONSchema(parameters)).length + description.length).toBeLessThan(600);
});

test("a call announces the path that it reads", async () => {
  using tree = new TemporaryTree({ "src/a.ts": "" });
  const tool = createGrepTool(environmentAt(tree.path));
  expect(await announced(tool, { pattern: "x", path: "src" })).toEqual({
    title: "grep x in src",
    paths: [tree.at("src")],
    access: { kind: "read", paths: [tree.at("src")] },
  });
});

describe.each(engines)("grep with %s", (_, options) => {
  const run = (cwd: string, args: unknown) => runTool(createGrepTool(environmentAt(cwd), options), args);

  test("shows path, line and text, in the order of paths and lines", async () => {
    using tree = new TemporaryTree({
      "b.ts": "one\nfoo 1\ntwo\nfoo 2\n",
      "a/z.ts": "foo 3",
      "a.ts": "foo 4\r\n",
      "none.ts": "bar",
    });
    expect(await run(tree.path, { pattern: "foo \\d" })).toBe(
      "a/z.ts:1:foo 3\na.ts:1:foo 4\nb.ts:2:foo 1\nb.ts:4:foo 2\n",
    );
  });

  test("leaves out what deny rules forbid, by either name of its folder, and does not tell whether it matches", async () => {
    using tree = new TemporaryTree({ "real/a.txt": "foo\n", "real/key": "foo\n", link: { link: "real" } });
    const forbidding = (forbidden: string) => ({
      ...environmentAt(tree.path),
      forbiddenFiles: () => (path: string) => path === tree.at(forbidden),
    });
    const search = (forbidden: string, pattern: string) =>
      runTool(createGrepTool(forbidding(forbidden), options), { pattern, path: "link" });
    expect([
      await search("real/key", "foo"),
      await search("link/key", "foo"),
      await search("real/key", "bar"),
    ]).toEqual([
      "link/a.txt:1:foo\n[files that deny rules forbid are not searched]\n",
      "link/a.txt:1:foo\n[files that deny rules forbid are not searched]\n",
      "No matches.\n[files that deny rules forbid are not searched]\n",
    ]);
  });

  test("leaves out what is ignored, hidden, binary or a link, but searches what is named", async () => {
    using tree = new TemporaryTree({
      ".git/HEAD": "foo",
      ".gitignore": "dist/\n*.log\n!keep.log\n",
      "dist/a": "foo",
      "x.log": "foo",
      "keep.log": "foo",
      ".hidden/a": "foo",
      ".env": "foo",
      binary: "foo\n\0",
      link: { link: "keep.log" },
    });
    expect(await run(tree.path, { pattern: "foo" })).toBe("keep.log:1:foo\n");
    expect(await run(tree.path, { pattern: "foo", path: "x.log" })).toBe("x.log:1:foo\n");
    expect(await run(tree.path, { pattern: "foo", path: "dist" })).toBe("dist/a:1:foo\n");
    expect(await run(tree.path, { pattern: "foo", path: ".hidden" })).toBe(".hidden/a:1:foo\n");
    expect(await run(tree.path, { pattern: "foo", glob: ".env" })).toBe(".env:1:foo\n");
    expect(await run(tree.path, { pattern: "foo", glob: ".*" })).toBe(".env:1:foo\n");
    expect(await run(tree.path, { pattern: "foo", path: "binary" })).toBe("No matches.\n");
  });

  test("does not apply the ignore files of an outer repository to a nested one", async () => {
    using tree = new TemporaryTree({
      ".git/HEAD": "",
      ".gitignore": "*.tmp",
      "inner/.git": "gitdir: elsewhere",
      "inner/a.tmp": "foo",
      "b.tmp": "foo",
    });
    expect(await run(tree.path, { pattern: "foo" })).toBe("inner/a.tmp:1:foo\n");
  });

  test("takes a glob for the files, or one for what is left out", async () => {
    using tree = new TemporaryTree({
      "src/a.ts": "foo",
      "src/a.md": "foo",
      "test/b.ts": "foo",
      "é.ts": "foo",
    });
    expect(await run(tree.path, { pattern: "foo", glob: "*.ts" })).toBe(
      "src/a.ts:1:foo\ntest/b.ts:1:foo\né.ts:1:foo\n",
    );
    expect(await run(tree.path, { pattern: "foo", glob: "src/**" })).toBe("src/a.md:1:foo\nsrc/a.ts:1:foo\n");
    expect(await run(tree.path, { pattern: "foo", glob: "!test" })).toBe(
      "src/a.md:1:foo\nsrc/a.ts:1:foo\né.ts:1:foo\n",
    );
    expect(await run(tree.path, { pattern: "foo", glob: "?.ts" })).toBe(
      "src/a.ts:1:foo\ntest/b.ts:1:foo\né.ts:1:foo\n",
    );
  });

  test("a glob does not bring back what is ignored", async () => {
    using tree = new TemporaryTree({ ".git/HEAD": "", ".gitignore": "*.log", "a.log": "foo" });
    expect(await run(tree.path, { pattern: "foo", glob: "*.log" })).toBe("No matches.\n");
  });

  test("shows context, with a mark between what is not adjacent", async () => {
    using tree = new TemporaryTree({ a: "1\n2\nfoo\n4\n5\n6\n7\nfoo\n", b: "foo\nx" });
    expect(await run(tree.path, { pattern: "foo", context: 1 })).toBe(
      "a-2-2\na:3:foo\na-4-4\n--\na-7-7\na:8:foo\n--\nb:1:foo\nb-2-x\n",
    );
  });

  test("shows a line once when it is context of two matches", async () => {
    using tree = new TemporaryTree({ a: "1\nfoo\nfoo\n4\nfoo\n" });
    expect(await run(tree.path, { pattern: "foo", context: 1 })).toBe(
      "a-1-1\na:2:foo\na:3:foo\na-4-4\na:5:foo\n",
    );
  });

  test("stops at max and says that there are more", async () => {
    using tree = new TemporaryTree({ a: "foo\n".repeat(5), b: "foo\n", c: "foo\n2\n3\n4\n5\nfoo" });
    const more = "matches shown, there are more: narrow path, glob or pattern, or raise max]\n";
    expect(await run(tree.path, { pattern: "foo", max: 1, context: 1, glob: "c" })).toBe(
      `c:1:foo\nc-2-2\n[1 ${more}`,
    );
    expect(await run(tree.path, { pattern: "foo", max: 2 })).toBe(`a:1:foo\na:2:foo\n[2 ${more}`);
    expect(await run(tree.path, { pattern: "foo", max: 5 })).toBe(
      `a:1:foo\na:2:foo\na:3:foo\na:4:foo\na:5:foo\n[5 ${more}`,
    );
    expect(await run(tree.path, { pattern: "foo", max: 6, glob: "b" })).toBe("b:1:foo\n");
  });

  test("cuts long lines where one can see it, however long they are", async () => {
    const mark = " [cut: the line is longer than 500 characters]\n";
    using tree = new TemporaryTree({
      a: `${'\\"é'.repeat(400_000)}foo\nfoo`,
      b: `${"x".repeat(499)}😀foo`,
      c: Buffer.concat([Buffer.from("x".repeat(400_000)), Buffer.from([0xff]), Buffer.from("foo\n")]),
    });
    expect(await run(tree.path, { pattern: "foo" })).toBe(
      `a:1:${'\\"é'.repeat(167).slice(0, 500)}${mark}a:2:foo\nb:1:${"x".repeat(499)}${mark}c:1:${"x".repeat(500)}${mark}`,
    );
  });

  test("searches by characters of any script, with or without case", async () => {
    using tree = new TemporaryTree({ a: "Größe\nGRÖSSE\n日本語\nnaïve\nx" });
    expect(await run(tree.path, { pattern: "grö", ignore_case: true })).toBe("a:1:Größe\na:2:GRÖSSE\n");
    expect(await run(tree.path, { pattern: "^\\p{Han}{3}$" })).toBe("a:3:日本語\n");
    expect(await run(tree.path, { pattern: "\\bna\\wve\\b" })).toBe("a:4:naïve\n");
    expect(await run(tree.path, { pattern: "(?i)g(?-i)rö" })).toBe("a:1:Größe\n");
    expect(await run(tree.path, { pattern: "(?i:g)rö" })).toBe("a:1:Größe\n");
  });

  test("knows the edges of words and lines, also at a carriage return alone", async () => {
    using tree = new TemporaryTree({ a: "foobar\nfoo bar\nx_foo\n", b: "a\rb\r\nab\r\n" });
    expect(await run(tree.path, { pattern: "foo\\b" })).toBe("a:2:foo bar\na:3:x_foo\n");
    expect(await run(tree.path, { pattern: "\\bfoo" })).toBe("a:1:foobar\na:2:foo bar\n");
    expect(await run(tree.path, { pattern: "o\\B" })).toBe("a:1:foobar\na:2:foo bar\na:3:x_foo\n");
    expect(await run(tree.path, { pattern: "^b" })).toBe("b:1:a\rb\n");
    expect(await run(tree.path, { pattern: "a$" })).toBe("b:1:a\rb\n");
    expect(await run(tree.path, { pattern: "b$", glob: "b" })).toBe("b:1:a\rb\nb:2:ab\n");
    expect(await run(tree.path, { pattern: "a.b" })).toBe("No matches.\n");
    tree.add({ c: "x\r\nx\n" });
    expect(await run(tree.path, { pattern: "\\B", glob: "c" })).toBe("c:1:x\n");
  });

  test("takes braces that repeat nothing as themselves", async () => {
    using tree = new TemporaryTree({ a: "map[string]interface{}\nif x {\n" });
    expect(await run(tree.path, { pattern: "interface{}" })).toBe("a:1:map[string]interface{}\n");
    expect(await run(tree.path, { pattern: "x {$" })).toBe("a:2:if x {\n");
  });

  test("names files outside of the working directory absolutely, and makes odd names visible", async () => {
    using tree = new TemporaryTree({ "cwd/": "", "other/a\nb": "foo" });
    expect(await run(tree.at("cwd"), { pattern: "foo", path: "../other" })).toBe(
      `"${tree.at("other")}/a\\nb":1:foo\n`,
    );
  });

  test("is not stalled by a pattern that makes others backtrack", async () => {
    using tree = new TemporaryTree({ a: `${"a".repeat(50_000)}b\n` });
    for (const pattern of ["(a+)+$", "(a|aa)*c", "(.*)*x", "a.*a.*a.*a.*c", "(?:a?){50}a{50}c"]) {
      expect(await run(tree.path, { pattern })).toBe("No matches.\n");
    }
  });

  test("passes over a folder that cannot be read", async () => {
    using tree = new TemporaryTree({ "secret/a": "foo", b: "foo" });
    chmodSync(tree.at("secret"), 0);
    const found = await run(tree.path, { pattern: "foo", glob: "b" });
    chmodSync(tree.at("secret"), 0o700);
    expect(found).toBe("b:1:foo\n");
  });

  test.each([
    ["foo(", "Invalid pattern at character 4: the group is not closed; write \\( for a bracket."],
    ["foo)", "Invalid pattern at character 4: a group was not opened; write \\) for a bracket."],
    ["a[b", "Invalid pattern at character 2: the class is not closed; write \\[ for a bracket."],
    ["*a", "Invalid pattern at character 1: there is nothing to repeat; put a backslash before it."],
    ["(?=a)", "Invalid pattern at character 1: look-around is not supported."],
    ["(?<n>a)|(?P<n>b)", "Invalid pattern at character 9: two groups have this name; leave names out."],
    ["(a)\\1", "Invalid pattern at character 4: references to groups are not supported."],
    [
      "a\\nb",
      "Invalid pattern at character 2: a match cannot span lines; search for one line and use context.",
    ],
    [
      "a\nb",
      "Invalid pattern at character 2: a match cannot span lines; search for one line and use context.",
    ],
    ["日[z-a]", "Invalid pattern at character 3: the range is in the wrong order."],
    ["\\p{Nope}", "Invalid pattern at character 1: Nope is not a Unicode property known here."],
    ["a{2000}", "Invalid pattern at character 2: a repetition counts to 1000 at most."],
    ["((a{1000}){1000}){1000}", "The pattern is too large: repeat less."],
    ["a\\", "Invalid pattern at character 2: it ends with a backslash; write \\\\ for a backslash."],
    ["(".repeat(101), "Invalid pattern at character 102: groups are nested too deeply."],
  ])("says where the pattern %p is wrong", async (pattern, message) => {
    using tree = new TemporaryTree({ a: "foo" });
    expect(await failure(run(tree.path, { pattern }))).toBe(message);
  });

  test("says that a path does not exist, and that a glob is broken", async () => {
    using tree = new TemporaryTree({ fifo: { fifo: true } });
    const missing = "is no file or folder: name an existing path.";
    expect(await failure(run(tree.path, { pattern: "x", path: "gone" }))).toBe(`gone ${missing}`);
    expect(await failure(run(tree.path, { pattern: "x", path: "fifo" }))).toBe(`fifo ${missing}`);
    expect(await failure(run(tree.path, { pattern: "x", glob: "{a" }))).toBe(
      "Invalid glob {a: { without }. A backslash makes a character literal.",
    );
  });

  test("an aborted call ends", async () => {
    using tree = new TemporaryTree({ a: "foo" });
    const tool = createGrepTool(environmentAt(tree.path), options);
    const aborted = runTool(tool, { pattern: "foo" }, AbortSignal.abort(new Error("stop")));
    expect(await aborted.catch((error: unknown) => String(error))).toBe("Error: stop");
  });
});
