import { afterEach, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { defaultSettings } from "@codelia/config";
import type { PermissionDecision } from "@codelia/shared-types";
import { nodeFileSystem } from "@codelia/storage";
import { createSandbox } from "../../../packages/runtime/src/sandbox/index.ts";
import { createBashTool } from "../../../packages/runtime/src/tools/bash.ts";
import { ReadVersions } from "../../../packages/runtime/src/tools/read-versions.ts";
import {
  drivers,
  fixedWays,
  HostileRepository,
  nestedWays,
  optionWays,
  type Way,
} from "./hostile-repository.ts";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

interface Approval {
  readonly by: PermissionDecision["by"];
  readonly approvesAll?: boolean;
}

/** Runs a command in the real sandbox, as a call that was decided on like this. @output what the model is told */
async function bash(
  tree: HostileRepository,
  command: string,
  { by, approvesAll = false }: Approval,
  userEnv: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = environment(tree, userEnv);
  const sandbox = createSandbox({
    fs: nodeFileSystem,
    settings: defaultSettings.sandbox,
    workspace: tree.at("work"),
    userHome: tree.at("home"),
    codeliaHome: tree.at("home/.codelia"),
    env,
    readable: [],
    executable: process.execPath,
    isRoot: process.getuid?.() === 0,
    platform: process.platform,
  });
  const tool = createBashTool({
    cwd: tree.at("work"),
    workspace: tree.at("work"),
    env,
    sandbox,
    approvesAll,
    forbiddenFiles: () => undefined,
    secrets: [],
    readVersions: new ReadVersions(),
  });
  cleanups.push(async () => {
    await tool.dispose();
    await sandbox.dispose();
  });
  const chunks: Uint8Array[] = [];
  const call = await tool.prepare({ command });
  await call.execute({
    decision: { decision: "allow", by, reason: "test" },
    signal: new AbortController().signal,
    presentSkill: () => undefined,
    presentImage: () => undefined,
    intendChanges: () => Promise.resolve(),
    output: {
      write: (chunk) =>
        Promise.resolve(
          void chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : Uint8Array.from(chunk)),
        ),
    },
  });
  return Buffer.concat(chunks).toString("utf8");
}

function environment(tree: HostileRepository, more: Readonly<Record<string, string>> = {}) {
  const path = [tree.at("work/node_modules/.bin"), "", ".", tree.at("bin"), process.env.PATH ?? ""].join(":");
  return { PATH: path, HOME: tree.at("home"), ...more };
}

/** As in a terminal of somebody who protects nothing. @output whether the repository's program ran */
function runsPlainly(tree: HostileRepository, command: string): boolean {
  const env = environment(tree);
  spawnSync("bash", ["-c", command], { cwd: tree.at("work"), env, stdio: "ignore" });
  const { hasRun } = tree;
  tree.clear();
  return hasRun;
}

async function outcome(way: Way, approval: Approval): Promise<{ plainly: boolean; here: boolean }> {
  using plain = new HostileRepository(way);
  const plainly = runsPlainly(plain, way.command);
  using tree = new HostileRepository(way);
  await bash(tree, way.command, approval);
  return { plainly, here: tree.hasRun };
}

describe("a command that nobody was asked about starts nothing by way of", () => {
  test.each(Object.entries({ ...fixedWays, ...nestedWays, ...optionWays }))("%s", async (_, way) => {
    expect(await outcome(way, { by: "rule" })).toEqual({ plainly: true, here: false });
  });
});

describe.each(Object.entries(drivers))("nor by a driver of %s", (_, driver) => {
  test.each(["evil", "a=b", "Évil", "x.clean", "$(id)", "-c"])("named %s", async (name) => {
    expect(await outcome(driver(name), { by: "mode" })).toEqual({ plainly: true, here: false });
  });
});

describe("a command that somebody approved", () => {
  const hook = { prepare: (tree: HostileRepository) => tree.addProgram("work/.git/hooks/pre-commit") };
  const way: Way = { ...hook, command: "git commit -qam second </dev/null" };

  test("runs the repository's hooks, when the user was asked", async () => {
    expect(await outcome(way, { by: "user" })).toEqual({ plainly: true, here: true });
  });

  test("runs the repository's hooks, when the user approved everything", async () => {
    expect(await outcome(way, { by: "mode", approvesAll: true })).toEqual({ plainly: true, here: true });
  });
});

describe("git in a command that nobody was asked about works as ever", () => {
  const calm: Pick<Way, "prepare"> = {
    prepare: (tree) => {
      tree.addProgram("bin/upper", "#!/bin/sh\ntr a-z A-Z\n");
      tree.add({
        "home/.gitconfig": `[diff "mine"]\n\ttextconv = ${tree.at("bin/upper")} <\n[core]\n\tpager = false\n`,
        "work/.gitattributes": "*.txt diff=mine\n",
      });
    },
  };

  test.each([
    ["git log --format=%s", "first\nexit code 0\n"],
    ["git --no-pager -C . log --format=%s -- 'b.txt' | cat", "first\nexit code 0\n"],
    ["git diff --no-color -- b.txt | tail -n 2", "-B\n+CHANGED\nexit code 0\n"],
    ["git diff --quiet", "exit code 1\n"],
    ["git rev-parse --verify -q nothing || echo none", "none\nexit code 0\n"],
    [
      "git status --short; no-such-program",
      " M b.txt\n?? .gitattributes\n/bin/bash: line 1: no-such-program: command not found\nexit code 127\n",
    ],
    [
      "cd / && git status",
      "fatal: not a git repository (or any of the parent directories): .git\nexit code 128\n",
    ],
    ["echo git", "git\nexit code 0\n"],
  ])("%s", async (command, output) => {
    using tree = new HostileRepository(calm);
    expect(await bash(tree, command, { by: "rule" })).toBe(output);
  });

  test("a difference is shown as it is, though the repository names a program to show it", async () => {
    using tree = new HostileRepository({
      prepare: (made, evil) => made.config(["diff.external", evil], ["diff.evil.command", evil]),
    });
    expect(await bash(tree, "git diff | tail -n 2", { by: "rule" })).toBe("-b\n+changed\nexit code 0\n");
  });

  test("a git whose settings cannot be read is not run", async () => {
    using tree = new HostileRepository({
      prepare: (made) =>
        made.addProgram("bin/git", '#!/bin/sh\ncase " $* " in *" config "*) exit 129 ;; esac\necho ran\n'),
    });
    const output = await bash(tree, "git status", { by: "rule" });
    expect(output).toBe("git: its settings cannot be read: not run\nexit code 128\n");
  });

  test("an option that would open what is closed is refused in words", async () => {
    using tree = new HostileRepository(calm);
    expect(await bash(tree, "git diff --ext-diff", { by: "rule" })).toBe(
      "git: --ext-diff can start programs that the repository names, and nobody was asked: not run\nexit code 128\n",
    );
  });
});
