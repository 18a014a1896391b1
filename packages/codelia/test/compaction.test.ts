import { expect, test } from "bun:test";
import { codelia, type Run } from "../../../test/support/codelia.ts";
import { TemporaryTree } from "../../../test/support/tree.ts";

function project(script: object): TemporaryTree {
  return new TemporaryTree({
    "home/": "",
    "repo/.git/": "",
    "repo/AGENTS.md": "Root rules.\n",
    "script.json": JSON.stringify(script),
  });
}

function run(tree: TemporaryTree, ...args: string[]): Promise<Run> {
  const model = `scripted/${tree.at("script.json")}`;
  return codelia(["run", "--trust", "--approval", "full", "-m", model, ...args], {
    cwd: tree.at("repo"),
    home: tree.at("home"),
  });
}

const talk = {
  tool_calls: [{ name: "bash", arguments: { command: "head -c 32000 /dev/zero | tr '\\0' x" } }],
};
const summary = { text: "It was talked.", expect: { last_user_contains: "about to be compacted" } };
const overflow = { error: { kind: "ContextOverflow", message: "the prompt is too long" } };

function compactionLines({ stderr }: Run): string[] {
  return stderr
    .split("\n")
    .filter((line) => line.includes("room") || line.includes("compact"))
    .map((line) => line.replaceAll(/\d+/g, "N"));
}

test("a run makes room by itself before the window is full, and says so", async () => {
  using tree = project({
    contextWindow: 20_000,
    turns: [talk, talk, summary, { text: "Done.", expect: { request_contains: "It was talked." } }],
  });
  const result = await run(tree, "talk");
  expect([result.code, result.stdout, compactionLines(result)]).toEqual([
    0,
    "Done.\n",
    ["… making room: about N tokens are in the context", "✓ compacted to about N tokens"],
  ]);
});

test("with --no-compact it ends with 4 instead, and the session can go on", async () => {
  using tree = project({ contextWindow: 20_000, turns: [talk, talk, { text: "Never." }] });
  const result = await run(tree, "talk", "--no-compact");
  expect([result.code, result.stdout, compactionLines(result)]).toEqual([
    4,
    "",
    [
      "codelia: The context is full: the next request takes about N of N tokens, and --no-compact was given. Go on with compaction by leaving that out.",
    ],
  ]);
  tree.add({
    "script.json": JSON.stringify({ contextWindow: 20_000, turns: [summary, { text: "Gone on." }] }),
  });
  const again = await run(tree, "--continue");
  expect([again.code, again.stdout]).toEqual([0, "Gone on.\n"]);
});

test("a provider that refuses the compacted request too ends the run with words", async () => {
  using tree = project({ turns: [talk, talk, overflow, summary, overflow] });
  const { code, stdout, stderr } = await run(tree, "talk");
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr.split("\n").slice(-4, -2)).toEqual([
    "codelia: ContextOverflow: the prompt is too long",
    "Go on without --no-compact, with a smaller task, or with a model that has a larger window (-m).",
  ]);
});
