import { describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { sleepers, uniqueSleep } from "../../../../test/support/processes.ts";
import { runTool } from "../tools/tool-run.ts";
import { endScenesAfterEachTest, SandboxScene } from "./sandbox-scene.ts";

endScenesAfterEachTest();

async function until(condition: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 1_000 && !condition(); tries += 1) await delay(10);
  return condition();
}

describe("what a command is", () => {
  test("it has no capabilities, can gain no privileges, and sees only its own processes", async () => {
    const scene = new SandboxScene({});
    const output = await scene.bash(
      "grep -E '^(CapPrm|CapEff|CapBnd|NoNewPrivs):' /proc/self/status | tr '\\t' ' '; " +
        "mount -t tmpfs none /mnt 2>/dev/null || echo no mount; unshare -Ur true 2>/dev/null || echo no namespace; " +
        "for p in /proc/[0-9]*; do read -r name < $p/comm; echo $name; done",
    );
    expect(output).toBe(
      [
        "CapPrm: 0000000000000000",
        "CapEff: 0000000000000000",
        "CapBnd: 0000000000000000",
        "NoNewPrivs: 1",
        "no mount",
        "no namespace",
        "bwrap",
        "bash",
        "bash",
        "exit code 0",
        "",
      ].join("\n"),
    );
  });

  test("its exit code, its output from behind its end, and its last words after SIGTERM are kept", async () => {
    const scene = new SandboxScene({});
    expect([
      await scene.bash("echo to stderr > /dev/stderr; exit 7"),
      await scene.bash("echo late > >(sleep 0.01; cat)"),
      await scene.bash("trap 'echo bye; exit 0' TERM; sleep 1000 & wait", { timeout_s: 0.5 }),
      await scene.bash("kill -SEGV $$"),
    ]).toEqual([
      "to stderr\nexit code 7\n",
      "late\nexit code 0\n",
      "bye\nkilled after 0.5 s\n",
      "exit code 139\n",
    ]);
  });
});

describe("nothing outlives a command", () => {
  test("processes in the background, in sessions of their own and deaf to SIGTERM end with it", async () => {
    const scene = new SandboxScene({});
    const [one, two] = [uniqueSleep(), uniqueSleep()];
    await scene.bash(
      `sleep ${one} & setsid -f env -i /bin/bash -c "trap '' TERM HUP; echo 1 > begun; exec sleep ${two}"; until [ -s begun ]; do sleep 0.01; done`,
    );
    expect(await until(() => sleepers(one).length + sleepers(two).length === 0)).toBe(true);
  });

  test("a timeout ends them all", async () => {
    const scene = new SandboxScene({});
    const [one, two] = [uniqueSleep(), uniqueSleep()];
    const output = await scene.bash(
      `sleep ${one} & setsid -f bash -c "trap '' TERM; echo 1 > begun; sleep ${two}; sleep ${two}"; trap '' TERM; while :; do sleep 0.1; done`,
      { timeout_s: 1 },
    );
    expect([output, sleepers(one), sleepers(two)]).toEqual(["killed after 1 s\n", [], []]);
  });

  test("killing a background job ends what it started", async () => {
    const scene = new SandboxScene({});
    const word = uniqueSleep();
    await runTool(scene.tool, { command: `setsid -f sleep ${word}; sleep ${word}`, background: true });
    expect(await until(() => sleepers(word).length === 2)).toBe(true);
    expect([await runTool(scene.tool, { kill: "b1" }), sleepers(word)]).toEqual([
      "job b1: killed on request\n",
      [],
    ]);
  });

  test("when Codelia is killed, its commands are gone with it", async () => {
    const scene = new SandboxScene({});
    const word = uniqueSleep();
    scene.add({ "tmp/": "" });
    const program = new URL("./detached-command.ts", import.meta.url).pathname;
    const command = `setsid -f sleep ${word}; sleep ${word}`;
    const codelia = spawn(process.execPath, [program, scene.at("work"), scene.at("home"), command], {
      stdio: "ignore",
      env: { PATH: process.env.PATH, TMPDIR: scene.at("tmp") },
    });
    try {
      await once(codelia, "spawn");
      expect(await until(() => sleepers(word).length === 2)).toBe(true);
      codelia.kill("SIGKILL");
      expect(await until(() => sleepers(word).length === 0)).toBe(true);
    } finally {
      codelia.kill("SIGKILL");
    }
  });
});
