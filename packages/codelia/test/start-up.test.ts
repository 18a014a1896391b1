import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { codeliaCommand } from "../../../test/support/emulated-terminal.ts";
import { TemporaryTree } from "../../../test/support/tree.ts";

/** Ends the program with 99 when a part of the terminal UI is loaded. */
const watcher = `
  import { plugin } from "bun";
  plugin({ name: "watcher", setup: (build) => void build.onLoad({ filter: /packages\\/tui\\/|pi-tui/ }, () => process.exit(99)) });
`;

function exitCodeOf(tree: TemporaryTree, args: readonly string[], isTerminal: boolean): number | null {
  const [bun = "", main = ""] = codeliaCommand;
  const command = [bun, "--preload", tree.at("watcher.ts"), main, ...args];
  const quoted = command.map((word) => `'${word}'`).join(" ");
  const [program = "", ...rest] = isTerminal
    ? ["script", "--quiet", "--return", "--command", quoted, "/dev/null"]
    : command;
  const env = { PATH: process.env.PATH ?? "", HOME: tree.at("home"), TERM: "xterm" };
  return spawnSync(program, rest, { cwd: tree.at("repo"), env, stdio: ["ignore", "ignore", "ignore"] })
    .status;
}

test("only codelia in a terminal loads the terminal UI", () => {
  const script = JSON.stringify({ turns: [{ text: "Hello." }] });
  using tree = new TemporaryTree({ "repo/": "", "home/": "", "watcher.ts": watcher, "script.json": script });
  const run = ["run", "Hi.", "--trust", "-m", "scripted/../script.json"];
  expect(
    [["--version"], ["--help"], run, []].map((args) => [
      args[0],
      exitCodeOf(tree, args, false),
      exitCodeOf(tree, args, true),
    ]),
  ).toEqual([
    ["--version", 0, 0],
    ["--help", 0, 0],
    ["run", 0, 0],
    [undefined, 0, 99],
  ]);
});

test.each([
  [
    ["--plain"],
    "codelia: this needs a terminal; without one, give the prompt to codelia run\nSee: codelia help open\n",
  ],
  [
    ["--resume", "x", "--continue"],
    "codelia: --resume and --continue exclude each other\nSee: codelia help open\n",
  ],
  [
    ["--trust", "do it"],
    "codelia: unexpected argument 'do it': a prompt is given to codelia run\nSee: codelia help open\n",
  ],
] as const)("%j is a usage error without a terminal", (args, message) => {
  using tree = new TemporaryTree({ "home/": "" });
  const [bun = "", main = ""] = codeliaCommand;
  const { status, stderr } = spawnSync(bun, [main, ...args], {
    cwd: tree.at("home"),
    env: { PATH: process.env.PATH ?? "", HOME: tree.at("home") },
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([2, message]);
});
