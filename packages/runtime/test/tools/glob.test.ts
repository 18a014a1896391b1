import { describe, expect, test } from "bun:test";
import { ToolError } from "@codelia/core";
import { z } from "zod";
import { TemporaryTree } from "../../../../test/support/tree.ts";
import { createGlobTool } from "../../src/tools/glob.ts";
import { environmentAt, runTool } from "./tool-run.ts";

const engines = [
  ["ripgrep", {}],
  ["the built-in walk", { ripgrep: () => Promise.resolve(undefined) }],
] as const;

test("glob's schema and description are small", () => {
  using tree = new TemporaryTree({});
  const { parameters, description } = createGlobTool(environmentAt(tree.path));
  expect(JSON.stringify(z.toJSONSchema(parameters)).length + description.length).toBeLessThan(600);
});

describe.each(engines)("glob with %s", (_, options) => {
  const run = (cwd: string, args: unknown) => runTool(createGlobTool(environmentAt(cwd), options), args);
  const files = {
    ".git/HEAD": "",
    ".gitignore": "/dist\n",
    ".github/ci.yml": "",
    "dist/a.ts": "",
    "src/a.ts": "",
    "src/b.tsx": "",
    "src/deep/er/c.ts": "",
    "src/.d.ts": "",
    "top.ts": "",
    "é.md": "",
    "src/[x]/page.ts": "",
    link: { link: "src" },
  };

  test.each([
    ["*.ts", "src/[x]/page.ts\nsrc/a.ts\nsrc/deep/er/c.ts\ntop.ts\n"],
    ["/*.ts", "top.ts\n"],
    ["src/*.ts", "src/a.ts\n"],
    ["src/**/*.ts", "src/[x]/page.ts\nsrc/a.ts\nsrc/deep/er/c.ts\n"],
    ["**/deep/**", "src/deep/er/c.ts\n"],
    ["src/deep/", "src/deep/er/c.ts\n"],
    ["*.{ts,tsx}", "src/[x]/page.ts\nsrc/a.ts\nsrc/b.tsx\nsrc/deep/er/c.ts\ntop.ts\n"],
    ["src/[ab].ts*", "src/a.ts\nsrc/b.tsx\n"],
    ["src/[!a].ts*", "src/b.tsx\n"],
    ["src/\\[x\\]/*", "src/[x]/page.ts\n"],
    ["?.md", "é.md\n"],
    ["./top.ts", "top.ts\n"],
    ["dist/*", "No files.\n"],
    [".github/**", ".github/ci.yml\n"],
    ["src/.*", "src/.d.ts\n"],
    [".git/*", ".git/HEAD\n"],
    [".*/*", ".github/ci.yml\n"],
    ["src", "No files.\n"],
    ["!src/**", "top.ts\né.md\n"],
  ])("%s", async (pattern, expected) => {
    using tree = new TemporaryTree(files);
    expect(await run(tree.path, { pattern })).toBe(expected);
  });

  test.each([
    ["/a", "x/a x/b/a"],
    ["a", ""],
    ["a/", "a x/a x/b/a"],
    ["x/", "a"],
    ["x/*", "a"],
    ["x/**", "a"],
    ["x/**\n!x/a", "a x/a"],
    ["**/b/a", "a x/a"],
    ["x/**/a", "a"],
    ["b/a", "a x/a x/b/a"],
    ["*\n!a", "a"],
    ["*\n!x/\n!a", "a x/a"],
    ["[a-b]", ""],
    ["[!a]", "a"],
    ["{a,b}", ""],
    ["\\a", ""],
    ["#a\n\\#a", "a x/a x/b/a"],
    ["a ", ""],
    ["a\\ ", "a x/a x/b/a"],
    ["a\r", ""],
    ["}\n[z-a]\n\\", "a x/a x/b/a"],
  ])("of an ignore file with %p leaves the right files", async (ignore, expected) => {
    using tree = new TemporaryTree({ ".ignore": ignore, a: "", "x/a": "", "x/b/a": "" });
    expect(await run(tree.path, { pattern: "**" })).toBe(
      expected === "" ? "No files.\n" : `${expected.replaceAll(" ", "\n")}\n`,
    );
  });

  test("the nearest ignore file decides, and .ignore before .gitignore", async () => {
    using tree = new TemporaryTree({
      ".git/HEAD": "",
      ".gitignore": "*.log\n!b.log",
      ".ignore": "b.log",
      "sub/.gitignore": "!c.log",
      "a.log": "",
      "b.log": "",
      "sub/c.log": "",
      "sub/d.log": "",
    });
    expect(await run(tree.path, { pattern: "**" })).toBe("sub/c.log\n");
    expect(await run(tree.at("sub"), { pattern: "**" })).toBe("c.log\n");
  });

  test(".gitignore counts only in a repository", async () => {
    using tree = new TemporaryTree({ ".gitignore": "a", a: "" });
    expect(await run(tree.path, { pattern: "**" })).toBe("a\n");
  });

  test("sorts by the bytes of names", async () => {
    using tree = new TemporaryTree({ "😀": "", ﬀ: "", z: "", "a/b": "", "a.b": "", B: "" });
    expect(await run(tree.path, { pattern: "**" })).toBe("B\na/b\na.b\nz\nﬀ\n😀\n");
  });

  test("takes an absolute pattern, and a folder to start in", async () => {
    using tree = new TemporaryTree(files);
    expect(await run(tree.path, { pattern: `${tree.path}/src/*.ts` })).toBe("src/a.ts\n");
    expect(await run(tree.path, { pattern: "*.ts", path: "src/deep" })).toBe("src/deep/er/c.ts\n");
  });

  test("shows max files and tells how many there are", async () => {
    using tree = new TemporaryTree({ a: "", b: "", c: "" });
    expect(await run(tree.path, { pattern: "*", max: 2 })).toBe(
      "a\nb\n[2 of 3 files shown: narrow the pattern, or raise max]\n",
    );
  });

  test("is not stalled by a glob or an ignore file full of stars", async () => {
    const name = "a".repeat(200);
    using tree = new TemporaryTree({
      ".ignore": `${"*a".repeat(60)}*b\n${"**/".repeat(200)}c\n`,
      [`${name}/${name}`]: "",
    });
    expect(await run(tree.path, { pattern: `${"*a".repeat(60)}*b` })).toBe("No files.\n");
    expect(await run(tree.path, { pattern: "**/".repeat(200) })).toBe(`${name}/${name}\n`);
  });

  test.each([
    ["{a", "Invalid glob {a: { without }. A backslash makes a character literal."],
    ["a}", "Invalid glob a}: } without {. A backslash makes a character literal."],
    [
      "[z-a]",
      "Invalid glob [z-a]: the range z-a is in the wrong order. A backslash makes a character literal.",
    ],
    ["./", "The glob is empty: write **/* for all files."],
    ["a\0", "The glob is too long or has a NUL character: write a shorter one."],
  ])("refuses the glob %p", async (pattern, message) => {
    using tree = new TemporaryTree({ a: "" });
    const error = await run(tree.path, { pattern }).catch((thrown: unknown) => thrown);
    expect(error).toEqual(new ToolError(message));
  });

  test("refuses a glob that is nested or long beyond measure", async () => {
    using tree = new TemporaryTree({ a: "" });
    for (const pattern of ["{".repeat(1_000), "a".repeat(5_000), `${"{a,".repeat(60)}b${"}".repeat(60)}`]) {
      expect(await run(tree.path, { pattern }).catch((thrown: unknown) => thrown)).toBeInstanceOf(ToolError);
    }
  });
});
