import { describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { git } from "../../../packages/runtime/test/sandbox/git-repository.ts";
import { codelia, type Run, repository } from "../../support/codelia.ts";
import { HostileRepository } from "./hostile-repository.ts";

/** A repository with every way at once, and programs of its own under the names that Codelia starts. */
function worstRepository(): HostileRepository {
  const tree = new HostileRepository({
    prepare: (made, evil) => {
      const config = [
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.sshCommand",
        "core.alternateRefsCommand",
        "diff.external",
        "credential.helper",
        "gpg.program",
      ];
      for (const key of config) made.config([key, evil]);
      made.config(
        ["core.hooksPath", "hooks"],
        ["alias.status", `!${evil}`],
        ["include.path", "../more.config"],
      );
      made.add({ "work/more.config": `[filter "evil"]\n\tclean = ${evil}\n\tsmudge = ${evil}\n` });
      made.add({ "work/.gitattributes": "* filter=evil diff=evil\n" });
      made.config(["diff.evil.textconv", evil]);
      for (const hook of ["post-index-change", "post-checkout", "pre-commit"]) {
        made.addProgram(`work/hooks/${hook}`);
        made.addProgram(`work/.git/hooks/${hook}`);
      }
      for (const program of ["git", "rg", "bash", "bwrap", "socat", "cat", "sh", "bun", "node"]) {
        made.addProgram(`work/${program}`);
        made.addProgram(`work/node_modules/.bin/${program}`);
      }
      made.add({
        "work/bunfig.toml": 'preload = ["./preload.ts"]\n',
        "work/preload.ts": `await Bun.write(${JSON.stringify(made.at("work/canary"))}, "ran");\n`,
        "work/.env": `CODELIA_HOME=${made.at("work/fake")}\nBASH_ENV=${evil}\nNODE_OPTIONS=--require=${evil}\n`,
        "work/fake/config.json": '{"agents": {"enabled": false}}',
      });
    },
  });
  tree.add({ "work/AGENTS.md": "project rules\n" });
  return tree;
}

const turns = [
  { tool_calls: [{ name: "grep", arguments: { pattern: "chang" } }] },
  { tool_calls: [{ name: "glob", arguments: { pattern: "*.txt" } }] },
  { tool_calls: [{ name: "list", arguments: {} }] },
  { tool_calls: [{ name: "write", arguments: { path: "new.txt", content: "x" } }] },
  { tool_calls: [{ name: "bash", arguments: { command: "echo inside" } }] },
  { text: "Done." },
];

/** As users start it in a repository that they do not know; Bun alone would take its own settings from there. */
function at(tree: HostileRepository) {
  tree.add({ "script.json": JSON.stringify({ turns }) });
  const model = ["-m", `scripted/${tree.at("script.json")}`];
  const path = [tree.at("work/node_modules/.bin"), "", ".", process.env.PATH ?? ""].join(":");
  return async (...args: string[]): Promise<Run> => {
    const given = args.flatMap((arg) => (arg === "-m" ? model : [arg]));
    const child = spawn(
      Bun.which("node") ?? "node",
      [join(repository, "packages/codelia/bin/codelia.mjs"), ...given],
      {
        cwd: tree.at("work"),
        env: { PATH: path, HOME: tree.at("home"), PWD: tree.at("work") },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    const exit = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? -1)));
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
    return { code, stdout, stderr };
  };
}

describe("Codelia itself starts nothing of a repository and takes no setting from it", () => {
  const commands = [
    ["context"],
    ["config"],
    ["sessions", "list"],
    ["trust"],
    ["sandbox", "check"],
    ["run", "go", "--approval", "full", "-m"],
  ];

  test.each(commands.map((args) => [args.join(" "), args] as const))("before trust: %s", async (_, args) => {
    using tree = worstRepository();
    const run = at(tree);
    const { stdout, stderr } = await run(...args);
    expect(tree.hasRun).toBe(false);
    expect(stdout + stderr).not.toContain(tree.at("work/fake"));
  });

  test("after trust: a run with search, changes and a command, its resumption, its transcript and its undoing", async () => {
    using tree = worstRepository();
    const run = at(tree);
    const codes: number[] = [];
    for (const args of [
      ["trust", tree.at("work")],
      ["run", "go", "--approval", "full", "-m"],
      ["run", "again", "--continue", "--approval", "full", "-m"],
      ["sessions", "list"],
      ["sessions", "show"],
      ["sessions", "undo"],
      ["context"],
    ]) {
      codes.push((await run(...args)).code);
    }
    expect([codes, tree.hasRun, existsSync(tree.at("work/new.txt"))]).toEqual([
      [0, 0, 0, 0, 0, 0, 0],
      false,
      true,
    ]);
  });

  test("a run without trust ends with 3, says how to trust, and reads nothing of the project", async () => {
    using tree = worstRepository();
    const { code, stdout, stderr } = await at(tree)("run", "go", "--approval", "full", "-m");
    expect([code, stdout, stderr.includes(`codelia trust ${tree.at("work")}`), tree.hasRun]).toEqual([
      3,
      "",
      true,
      false,
    ]);
  });
});

describe("trust cannot be taken from another project", () => {
  test("by a forged commondir", async () => {
    using tree = new HostileRepository({ prepare: () => undefined });
    tree.add({
      "evil/AGENTS.md": "evil rules\n",
      "evil/.git/HEAD": "ref: refs/heads/main\n",
      "evil/.git/objects/": "",
      "evil/.git/refs/": "",
    });
    tree.add({ "evil/.git/commondir": `${tree.at("work/.git")}\n` });
    await at(tree)("trust", tree.at("work"));
    const { stdout } = await codelia(["context", "--json"], { cwd: tree.at("evil"), home: tree.at("home") });
    expect(stdout).not.toContain("evil rules");
  });

  test("by a forged gitdir that the other repository does not know", async () => {
    using tree = new HostileRepository({ prepare: () => undefined });
    git(tree.at("work"), "worktree", "add", "-q", tree.at("real"));
    const [name = ""] = readdirSync(tree.at("work/.git/worktrees"));
    tree.add({
      "evil/AGENTS.md": "evil rules\n",
      "evil/.git": `gitdir: ${tree.at("work/.git/worktrees", name)}\n`,
      "real/AGENTS.md": "good rules\n",
    });
    await at(tree)("trust", tree.at("work"));
    const context = async (folder: string) =>
      (await codelia(["context", "--json"], { cwd: tree.at(folder), home: tree.at("home") })).stdout;
    const [evil, real] = [await context("evil"), await context("real")];
    expect([evil.includes("evil rules"), real.includes("good rules")]).toEqual([false, true]);
  });
});
