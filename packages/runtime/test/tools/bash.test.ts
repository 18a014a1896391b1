import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { ToolError } from "@codelia/core";
import { z } from "zod";
import { TemporaryTree } from "../../../../test/support/tree.ts";
import { type BashTool, createBashTool } from "../../src/tools/bash.ts";
import { OutputCleaner } from "../../src/tools/process/index.ts";
import { announced, environmentAt, runTool } from "./tool-run.ts";

const tools: BashTool[] = [];

function bashAt(cwd: string, env?: Readonly<Record<string, string>>): BashTool {
  const tool = createBashTool(environmentAt(cwd, env));
  tools.push(tool);
  return tool;
}

afterEach(async () => {
  await Promise.all(tools.splice(0).map((tool) => tool.dispose()));
});

/** Neither running nor on its way out: a zombie does not count as alive. */
function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

async function pidIn(path: string): Promise<number> {
  for (let tries = 0; tries < 500; tries += 1) {
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    if (text.endsWith("\n")) return Number(text);
    await delay(10);
  }
  throw new Error(`${path} was not written`);
}

async function failure(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => "no failure",
    (error: unknown) => (error instanceof ToolError ? error.message : `not a ToolError: ${String(error)}`),
  );
}

test("bash's schema and description are small", () => {
  const { parameters, description } = bashAt("/");
  expect(JSON.stringify(z.toJSONSchema(parameters)).length + description.length).toBeLessThan(600);
});

test("a call announces the command and where it runs", async () => {
  using tree = new TemporaryTree({ "sub/": "" });
  expect(await announced(bashAt(tree.path), { command: "echo a\n", cwd: "sub" })).toEqual({
    title: 'run "echo a\\n"',
    paths: [tree.at("sub")],
    access: { kind: "command", command: "echo a\n", cwd: tree.at("sub") },
  });
});

describe("running a command", () => {
  test.each([
    ["echo out; echo err >&2; echo out", "out\nerr\nout\nexit code 0\n"],
    [
      "for i in 1 2 3 4 5 6 7 8 9; do echo $i; echo e$i >&2; done | tail -n 1; exit 7",
      "e1\ne2\ne3\ne4\ne5\ne6\ne7\ne8\ne9\n9\nexit code 7\n",
    ],
    ["echo x > /dev/stderr; echo y > /dev/stdout", "x\ny\nexit code 0\n"],
    ["printf 'no end'", "no end\nexit code 0\n"],
    ["true", "exit code 0\n"],
    ["cat", "exit code 0\n"],
    [
      "read line < /dev/tty || echo no terminal",
      "/bin/bash: line 1: /dev/tty: No such device or address\nno terminal\nexit code 0\n",
    ],
    ["kill -SEGV $$", "killed by signal SIGSEGV\n"],
    ["nonexistent-program", "/bin/bash: line 1: nonexistent-program: command not found\nexit code 127\n"],
    ["echo one > >(sleep 0.05; cat)", "one\nexit code 0\n"],
    ["printf '1%%\\r50%%\\r100%%\\ndone\\r\\nlast\\r'", "100%\ndone\r\nlast\nexit code 0\n"],
    [
      "printf '\\033[31mred\\033[0m \\033]0;title\\007text \\033]8;;http://x\\033\\\\link\\033(B\\n'",
      "red text link\nexit code 0\n",
    ],
    ["printf '\\033]never ended\\nnext\\n\\033[12'", "\nnext\nexit code 0\n"],
    ["printf 'a\\tb\\001c\\n'", "a\tb\u0001c\nexit code 0\n"],
  ])("%s", async (command, expected) => {
    using tree = new TemporaryTree({});
    expect(await runTool(bashAt(tree.path), { command })).toBe(expected);
  });

  test("has the given environment, without pagers, questions and colours", async () => {
    using tree = new TemporaryTree({ "sub/": "" });
    const bash = bashAt(tree.path, { PATH: process.env.PATH ?? "", HELLO: "world", PAGER: "less" });
    const names = "HELLO PAGER GIT_PAGER GIT_TERMINAL_PROMPT TERM NO_COLOR PWD HOME";
    expect(await runTool(bash, { command: `for n in ${names}; do echo "$n=\${!n}"; done`, cwd: "sub" })).toBe(
      `HELLO=world\nPAGER=cat\nGIT_PAGER=cat\nGIT_TERMINAL_PROMPT=0\nTERM=dumb\nNO_COLOR=1\nPWD=${tree.at("sub")}\nHOME=\nexit code 0\n`,
    );
  });

  test("a sequence and a carriage return are recognised across chunks", async () => {
    using tree = new TemporaryTree({});
    const command =
      "printf 'a\\033'; sleep 0.05; printf '[3'; sleep 0.05; printf '1mb\\r'; sleep 0.05; printf '\\nc\\r'; sleep 0.05; printf 'd'";
    expect(await runTool(bashAt(tree.path), { command })).toBe("ab\r\nd\nexit code 0\n");
  });

  test.each([
    [{ command: " \n" }, "The command is empty: write a shell command."],
    [{ command: "echo \0" }, "The command has a NUL character, which no shell takes."],
    [{ command: "ls", cwd: "gone" }, "The cwd gone is no folder: name an existing one, or leave it out."],
    [{ command: "ls", cwd: "file" }, "The cwd file is no folder: name an existing one, or leave it out."],
    [{ command: "ls", timeout_s: 0 }, "timeout_s must be more than 0 for a command."],
    [{}, "Give exactly one of command, wait, kill and list."],
    [{ command: "ls", wait: "b1" }, "Give exactly one of command, wait, kill and list."],
    [{ wait: "b1" }, "There is no background job b1: none was started."],
  ])("refuses %p", async (args, message) => {
    using tree = new TemporaryTree({ file: "" });
    expect(await failure(runTool(bashAt(tree.path), args))).toBe(message);
  });

  test("a command of 100 KiB runs, a longer one does not", async () => {
    const command = `echo ${"x".repeat(102_395)}`;
    expect(await runTool(bashAt("/"), { command })).toBe(`${"x".repeat(102_395)}\nexit code 0\n`);
    expect(await failure(runTool(bashAt("/"), { command: `${command}x` }))).toBe(
      "The command is longer than 100 KiB: write a file and run that.",
    );
  });
});

test("a line without an end is not kept in memory, whatever it is made of", () => {
  for (const start of ["", "\u001b[1m", "drawn\r", "\u001b]0;title\u0007"]) {
    const cleaner = new OutputCleaner();
    cleaner.clean(Buffer.from(start));
    const out = cleaner.clean(Buffer.from(`${"x".repeat(70_000)}${start}y`));
    expect(Buffer.from(out).toString().slice(0, 10)).toBe(start === "drawn\r" ? "" : "xxxxxxxxxx");
    expect(cleaner.clean(Buffer.from("z".repeat(70_000))).length).toBeGreaterThan(64 * 1024);
  }
});

describe("nothing is left behind", () => {
  test("a process in the background ends with the call", async () => {
    using tree = new TemporaryTree({});
    expect(
      await runTool(bashAt(tree.path), {
        command: "sleep 1000 & echo $! > pid; sleep 1000 >/dev/null & echo $! > other",
      }),
    ).toBe("exit code 0\n");
    expect([isAlive(await pidIn(tree.at("pid"))), isAlive(await pidIn(tree.at("other")))]).toEqual([
      false,
      false,
    ]);
  });

  test("a process that left the group ends with the call, too", async () => {
    using tree = new TemporaryTree({});
    const command =
      "setsid bash -c 'echo $$ > pid; exec sleep 1000' & while ! [ -s pid ]; do sleep 0.01; done; echo started";
    expect(await runTool(bashAt(tree.path), { command })).toBe("started\nexit code 0\n");
    expect(isAlive(await pidIn(tree.at("pid")))).toBe(false);
  });

  test("a timeout ends the whole group, those who ignore SIGTERM and those who left", async () => {
    using tree = new TemporaryTree({});
    const command =
      "(setsid bash -c 'trap \"\" TERM; echo $$ > away; while :; do sleep 0.1; done' &); " +
      "trap '' TERM; echo $$ > shell; sleep 1000 & echo $! > child; echo before; while :; do sleep 0.1; done";
    expect(await runTool(bashAt(tree.path), { command, timeout_s: 0.5 })).toBe(
      "before\nkilled after 0.5 s\n",
    );
    const pids = await Promise.all(["away", "shell", "child"].map((name) => pidIn(tree.at(name))));
    expect(pids.map(isAlive)).toEqual([false, false, false]);
  });

  test("a process with an emptied environment is found by its descent", async () => {
    using tree = new TemporaryTree({});
    const command = "env -i setsid --wait /bin/bash -c 'echo $$ > pid; while :; do /bin/sleep 0.1; done'";
    expect(await runTool(bashAt(tree.path), { command, timeout_s: 0.5 })).toBe("killed after 0.5 s\n");
    expect(isAlive(await pidIn(tree.at("pid")))).toBe(false);
  });

  test("an abort ends the command and shows what it had printed", async () => {
    using tree = new TemporaryTree({});
    const controller = new AbortController();
    const run = runTool(
      bashAt(tree.path),
      { command: "echo begun; echo $$ > pid; sleep 1000" },
      controller.signal,
    );
    const pid = await pidIn(tree.at("pid"));
    controller.abort();
    expect(await run).toBe("begun\nkilled on request\n");
    expect(isAlive(pid)).toBe(false);
  });

  test("an output that cannot be written ends the command", async () => {
    using tree = new TemporaryTree({});
    const call = await bashAt(tree.path).prepare({ command: "echo $$ > pid; yes" });
    const run = call.execute({
      signal: new AbortController().signal,
      output: { write: () => Promise.reject(new Error("disk full")) },
    });
    expect(await run.catch((error: unknown) => String(error))).toBe("Error: disk full");
    expect(isAlive(await pidIn(tree.at("pid")))).toBe(false);
  });
});

test("a gigabyte of output is passed on in bounded memory, at the speed of the reader", async () => {
  const call = await bashAt("/").prepare({ command: "yes | head -c 1G" });
  let size = 0;
  let last = "";
  let peak = 0;
  let writes = 0;
  const before = process.memoryUsage.rss();
  await call.execute({
    signal: new AbortController().signal,
    output: {
      async write(chunk) {
        size += chunk.length;
        writes += 1;
        if (writes % 100 === 0) peak = Math.max(peak, process.memoryUsage.rss());
        // Slower than the command at first: what it prints must wait outside of our memory.
        if (size < 4_000_000) await delay(1);
        last = typeof chunk === "string" ? chunk : "";
      },
    },
  });
  expect({ size, last }).toEqual({ size: 2 ** 30 + "exit code 0\n".length, last: "exit code 0\n" });
  expect(peak - before).toBeLessThan(150_000_000);
}, 120_000);

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
    const starting = call.execute({ signal: new AbortController().signal, output });
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
