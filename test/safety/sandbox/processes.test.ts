import { describe, expect, test } from "bun:test";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, copyFileSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { defaultSettings } from "@codelia/config";
import { nodeFileSystem } from "@codelia/storage";
import { createSandbox } from "../../../packages/runtime/src/sandbox/index.ts";
import { repository } from "../../support/codelia.ts";
import { sleepers, uniqueSleep } from "../../support/processes.ts";
import { TemporaryTree } from "../../support/tree.ts";
import { SafetyScene } from "../scene.ts";

async function until(condition: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 3_000 && !condition(); tries += 1) await delay(10);
  return condition();
}

describe("other processes", () => {
  test("are neither seen nor ended nor traced", async () => {
    using made = new SafetyScene({});
    const word = uniqueSleep();
    const victim = spawn("sleep", [word], { stdio: "ignore" });
    try {
      const { pid } = victim;
      const output = await made.bash(
        `cat /proc/[0-9]*/cmdline | tr '\\0' ' '; kill -9 ${pid} && echo ended; cat /proc/${pid}/environ && echo read; true`,
      );
      const said = output.split("\n");
      // Its own command line has the id, not the number.
      expect([
        output.includes(word),
        said.includes("ended"),
        said.includes("read"),
        sleepers(word).length,
      ]).toEqual([false, false, false, 1]);
    } finally {
      const closed = once(victim, "close");
      victim.kill("SIGKILL");
      await closed;
    }
  });
});

describe("nothing outlives a run:", () => {
  const ways = {
    "a child in the background": (word: string) => `sleep ${word} & echo $! > begun`,
    "a child that nobody waits for": (word: string) =>
      `nohup sleep ${word} >/dev/null 2>&1 & disown; echo 1 > begun`,
    "a session of its own": (word: string) => `setsid -f sleep ${word}; echo 1 > begun`,
    "a daemon that forked twice": (word: string) =>
      `(setsid bash -c '(trap "" TERM HUP INT; exec -a sleep sleep ${word} >/dev/null 2>&1 </dev/null) & exit' &) ; echo 1 > begun`,
    "a daemon with an empty environment": (word: string) => `env -i setsid -f sleep ${word}; echo 1 > begun`,
  };

  test.each(Object.entries(ways))("%s", async (_, way) => {
    using made = new SafetyScene({});
    const word = uniqueSleep();
    await made.bash(way(word));
    expect([await until(() => sleepers(word).length === 0), made.text("repo/begun") === ""]).toEqual([
      true,
      false,
    ]);
  });

  test("a background job", async () => {
    using made = new SafetyScene({});
    const word = uniqueSleep();
    const command = `setsid -f sleep ${word}; echo 1 > begun; sleep ${word}`;
    await made.run([
      ["bash", { command, background: true }],
      ["bash", { command: "until [ -s begun ]; do sleep 0.01; done" }],
    ]);
    expect([await until(() => sleepers(word).length === 0), made.text("repo/begun")]).toEqual([true, "1\n"]);
  });
});

describe("a command of a user who is not root", () => {
  const nobody = 65_534;

  /** Runs a script in the sandbox as a user without any rights, whoever runs the tests. */
  async function asNobody(
    script: string,
    limits: Partial<typeof defaultSettings.sandbox.limits> = {},
  ): Promise<string> {
    using tree = new TemporaryTree({ "work/": "", "home/": "", "secret.txt": "CANARY\n", "bin/": "" });
    copyFileSync("/bin/cat", tree.at("bin/suid-cat"));
    chmodSync(tree.at("secret.txt"), 0o600);
    chmodSync(tree.at("bin/suid-cat"), 0o4755);
    chmodSync(tree.path, 0o755);
    const sandbox = createSandbox({
      fs: nodeFileSystem,
      settings: { ...defaultSettings.sandbox, limits: { ...defaultSettings.sandbox.limits, ...limits } },
      workspace: tree.at("work"),
      userHome: tree.at("home"),
      codeliaHome: tree.at("home/.codelia"),
      env: { PATH: `${tree.at("bin")}:/usr/bin:/bin` },
      readable: [],
      executable: "/bin/sh",
      isRoot: false,
      platform: process.platform,
    });
    try {
      const command = { file: "/bin/bash", args: ["-c", script], cwd: tree.at("work") };
      const env = { PATH: `${tree.at("bin")}:/usr/bin:/bin` };
      const wrapped = await sandbox.wrap({ ...command, env });
      const isRoot = process.getuid?.() === 0;
      // What the session made for itself has to belong to whoever runs the command.
      if (isRoot)
        for (const path of privatePaths(wrapped.args))
          spawnSync("chown", ["-R", `${nobody}:${nobody}`, path]);
      if (isRoot) chownSync(tree.at("work"), nobody, nobody);
      const drop = isRoot ? ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"] : ["env"];
      const [file = "env", ...first] = drop;
      const run = spawnSync(file, [...first, wrapped.file, ...wrapped.args], {
        cwd: wrapped.cwd,
        env: { ...wrapped.env },
        encoding: "utf8",
      });
      return run.stdout + run.stderr;
    } finally {
      await sandbox.dispose();
    }
  }

  /** The session's own directory; its owner is changed by root, so it has to be that and nothing else. */
  function privatePaths(args: readonly string[]): string[] {
    const [path] = args.filter((arg) => /\/codelia-sandbox-[^/]+\/tmp$/.test(arg)).map((arg) => dirname(arg));
    if (path === undefined) throw new Error("the sandbox has no directory of its own");
    return [path];
  }

  test("starts no more processes than it may", async () => {
    const bomb =
      'for (1..200) { my $p = fork; if (!defined $p) { print "refused\\n"; exit } if ($p == 0) { sleep 100; exit } } print "all\\n"';
    expect(await asNobody(`perl -e '${bomb}'`, { processes: 40 })).toBe("refused\n");
  });

  test("gains nothing by a program that is set-uid", async () => {
    const output = await asNobody("id -u; suid-cat ../secret.txt; grep NoNewPrivs /proc/self/status");
    expect([output.includes("CANARY"), output.includes("NoNewPrivs:\t1")]).toEqual([false, true]);
  });
});

test("without bubblewrap the check says what to install, and a command with full approval does not run", async () => {
  using made = new SafetyScene({ "not-a-program": "" });
  const bwrap = realpathSync(Bun.which("bwrap") ?? "/usr/bin/bwrap");
  const main = resolve(repository, "packages/codelia/src/main.ts");
  const script = {
    turns: [{ tool_calls: [{ name: "bash", arguments: { command: "echo x > ran" } }] }, { text: "Done." }],
  };
  made.add({ "script.json": JSON.stringify(script) });
  const without = (...args: string[]) =>
    spawnSync(
      bwrap,
      [
        "--dev-bind",
        "/",
        "/",
        "--ro-bind",
        made.at("not-a-program"),
        bwrap,
        "--",
        process.execPath,
        main,
        ...args,
      ],
      {
        cwd: made.at("repo"),
        encoding: "utf8",
        env: { PATH: process.env.PATH ?? "", HOME: made.at("home"), PWD: made.at("repo") },
      },
    );
  const check = without("sandbox", "check", "--trust");
  const run = without(
    "run",
    "go",
    "--trust",
    "--approval",
    "full",
    "-m",
    `scripted/${made.at("script.json")}`,
  );
  const ran = spawnSync("test", ["-e", made.at("repo/ran")]).status === 0;
  const told = check.stdout.split("\n").filter((line) => line.includes("bubblewrap"));
  expect([check.status, told, run.status, ran]).toEqual([
    1,
    [
      "sandbox    NOT in force, every command asks: bubblewrap (bwrap) is not installed",
      "Debian, Ubuntu: apt-get install bubblewrap socat. Fedora: dnf install bubblewrap socat. Arch: pacman -S bubblewrap socat.",
    ],
    3,
    false,
  ]);
});
