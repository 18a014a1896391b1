import { describe, expect, test } from "bun:test";
import { TemporaryTree } from "../../../../test/support/tree.ts";
import { bashAt, endJobsAfterEachTest, isAlive, pidIn } from "./bash-scene.ts";
import { allowedByUser, failure, runTool } from "./tool-run.ts";

endJobsAfterEachTest();

describe("background jobs", () => {
  test("wait shows what is new, then the end", async () => {
    using tree = new TemporaryTree({});
    const bash = bashAt(tree.path);
    const command = "echo one; while ! [ -e go ]; do sleep 0.01; done; echo two; exit 3";
    expect(await runTool(bash, { command, background: true })).toBe(
      'Started job b1. {"wait": "b1"} shows its output.\n',
    );
    let first = "";
    while (!first.startsWith("one")) first = await runTool(bash, { wait: "b1", timeout_s: 0.05 });
    expect(first).toBe("one\njob b1: running\n");
    expect(await runTool(bash, { list: true })).toBe(`b1: running, 4 bytes of output: ${command}\n`);
    tree.add({ go: "" });
    expect(await runTool(bash, { wait: "b1" })).toBe("two\njob b1: exit code 3\n");
    expect(await runTool(bash, { wait: "b1" })).toBe("job b1: exit code 3\n");
    expect(await failure(runTool(bash, { wait: "b2" }))).toBe(
      "There is no background job b2: the jobs are b1.",
    );
  });

  test("the last 256 KiB of output are kept, and it is said how much is lost", async () => {
    const bash = bashAt("/");
    await runTool(bash, { command: "yes 1234567 | head -c 1M", background: true });
    expect(await runTool(bash, { wait: "b1" })).toBe(
      `[${2 ** 20 - 2 ** 18} bytes of earlier output were not kept]\n${"1234567\n".repeat(2 ** 15)}job b1: exit code 0\n`,
    );
  });

  test("kill ends a job with all its processes", async () => {
    using tree = new TemporaryTree({});
    const bash = bashAt(tree.path);
    await runTool(bash, { command: "setsid sleep 1000 & echo $! > pid; sleep 1000", background: true });
    const pid = await pidIn(tree.at("pid"));
    expect(await runTool(bash, { kill: "b1" })).toBe("job b1: killed on request\n");
    expect(isAlive(pid)).toBe(false);
    expect(await runTool(bash, { list: true })).toBe(
      "b1: killed on request, 0 bytes of output: setsid sleep 1000 & echo $! > pid; sleep 1000\n",
    );
  });

  test("a job with a timeout is killed after it", async () => {
    const bash = bashAt("/");
    await runTool(bash, { command: "sleep 1000", background: true, timeout_s: 0.1 });
    expect(await runTool(bash, { wait: "b1" })).toBe("job b1: killed after 0.1 s\n");
  });

  test("aborting a wait leaves the job alone", async () => {
    using tree = new TemporaryTree({});
    const bash = bashAt(tree.path);
    await runTool(bash, { command: "echo $$ > pid; sleep 1000", background: true });
    const pid = await pidIn(tree.at("pid"));
    const controller = new AbortController();
    const wait = runTool(bash, { wait: "b1", timeout_s: 600 }, controller.signal);
    controller.abort(new Error("stop"));
    expect(await wait.catch((error: unknown) => String(error))).toBe("Error: stop");
    expect(isAlive(pid)).toBe(true);
  });

  test("dispose ends all jobs, also one that is just being started, and no more can be started", async () => {
    using tree = new TemporaryTree({});
    const bash = bashAt(tree.path);
    await runTool(bash, {
      command: "echo $$ > a; trap '' TERM; while :; do sleep 0.1; done",
      background: true,
    });
    await runTool(bash, { command: "setsid bash -c 'echo $$ > b; sleep 1000' & wait", background: true });
    const pids = [await pidIn(tree.at("a")), await pidIn(tree.at("b"))];
    const call = await bash.prepare({ command: "sleep 1000", background: true });
    const output = { write: () => Promise.resolve() };
    const starting = call.execute({
      decision: allowedByUser,
      signal: new AbortController().signal,
      output,
      presentSkill: () => undefined,
      presentImage: () => undefined,
      intendChanges: () => Promise.resolve(),
    });
    await bash.dispose();
    await starting;
    expect(pids.map(isAlive)).toEqual([false, false]);
    expect(await runTool(bash, { list: true })).not.toContain("running");
    expect(await failure(runTool(bash, { command: "true", background: true }))).toBe(
      "The session has ended: nothing can be started.",
    );
  });

  test("sixteen jobs run at once, not more", async () => {
    const bash = bashAt("/");
    for (let count = 0; count < 16; count += 1)
      await runTool(bash, { command: "sleep 1000", background: true });
    expect(await failure(runTool(bash, { command: "true", background: true }))).toBe(
      '16 background jobs are running: kill one first, {"list": true} shows them.',
    );
  });
});
