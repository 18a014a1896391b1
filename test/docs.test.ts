// Runs the examples of the documents: each `$ command` of a console block must print what the block says.
import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import manifest from "../package.json";
import { repository } from "./support/codelia.ts";
import { TemporaryTree } from "./support/tree.ts";

interface Example {
  readonly line: number;
  readonly command: string;
  readonly output: string;
}

const folder = join(repository, "docs");
const documents = readdirSync(folder).filter((name) => name.endsWith(".md"));

describe.each(documents)("docs/%s", (name) => {
  test("its examples print what they say", () => {
    using tree = exampleTree();
    for (const block of consoleBlocks(readFileSync(join(folder, name), "utf8"))) {
      let cwd = tree.at("repo");
      for (const { command, output, line } of block) {
        const directory = command.match(/^cd (\S+)$/)?.[1];
        if (directory !== undefined) cwd = resolve(cwd, directory);
        else expect(`${line}: ${run(tree, cwd, command)}`).toBe(`${line}: ${normalised(output)}`);
      }
    }
  });
});

test("the README's two commands are the ones that CI and this package offer", () => {
  const readme = readFileSync(join(repository, "README.md"), "utf8");
  const commands = [...readme.matchAll(/```sh\n(.*)\n```/g)].map(([, command]) => command);
  expect(commands).toEqual(["npm ci && npm run demo", "npm ci && npm test"]);
  expect(Object.keys(manifest.scripts)).toContain("demo");
  expect(readFileSync(join(repository, ".ci/run"), "utf8")).toContain("npm ci && npm test");
});

test("every document is in the README's table of contents", () => {
  const readme = readFileSync(join(repository, "README.md"), "utf8");
  expect(documents.filter((name) => !readme.includes(`](docs/${name})`))).toEqual([]);
});

/** The example monorepo with fixed times, the example agents, an empty home, and `codelia` on the PATH. */
function exampleTree(): TemporaryTree {
  const tree = new TemporaryTree({ "home/": "" });
  cpSync(join(repository, "examples/monorepo"), tree.at("repo"), { recursive: true });
  for (const entry of readdirSync(tree.at("repo"), { recursive: true, encoding: "utf8" })) {
    utimesSync(tree.at("repo", entry), new Date("2026-01-01"), new Date("2026-01-01"));
  }
  cpSync(join(repository, "examples/agents"), tree.at("agents"), { recursive: true });
  mkdirSync(tree.at("bin"));
  const main = join(repository, "packages/codelia/src/main.ts");
  writeFileSync(tree.at("bin/codelia"), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  chmodSync(tree.at("bin/codelia"), 0o755);
  return tree;
}

function run(tree: TemporaryTree, cwd: string, command: string): string {
  const { stdout } = spawnSync("sh", ["-c", `{ ${command}\n} 2>&1`], {
    cwd,
    encoding: "utf8",
    env: { PATH: `${tree.at("bin")}:${process.env.PATH ?? ""}`, HOME: tree.at("home"), PWD: cwd },
  });
  return normalised(
    stdout
      .replaceAll(tree.at("repo"), "/repo")
      .replaceAll(tree.at("agents"), "/agents")
      .replaceAll(tree.at("home"), "/home/you"),
  );
}

/** Columns are as wide as the longest path, which is another one here: runs of spaces count as two. */
function normalised(text: string): string {
  return text
    .replaceAll(/(?<=\S) {2,}/g, "  ")
    .replaceAll(/^ +/gm, "  ")
    .trimEnd();
}

function consoleBlocks(markdown: string): Example[][] {
  const blocks: Example[][] = [];
  for (const match of markdown.matchAll(/^```console\n(.*?)^```$/gms)) {
    const first = markdown.slice(0, match.index).split("\n").length + 1;
    const examples: Example[] = [];
    for (const [index, line] of (match[1] ?? "").split("\n").entries()) {
      const last = examples.at(-1);
      if (line.startsWith("$ ")) examples.push({ line: first + index, command: line.slice(2), output: "" });
      else if (last !== undefined)
        examples[examples.length - 1] = { ...last, output: `${last.output}${line}\n` };
    }
    blocks.push(examples);
  }
  return blocks;
}
