import { describe, expect, test } from "bun:test";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { TemporaryTree } from "../../../../test/support/tree.ts";
import { OutputCleaner } from "../../src/tools/process/index.ts";
import { bashAt, endJobsAfterEachTest, isAlive, pidIn } from "./bash-scene.ts";
import { allowedByUser, announced, failure, runTool } from "./tool-run.ts";

endJobsAfterEachTest();

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
    ["echo one > >(sleep 0.01; cat)", "one\nexit code 0\n"],
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
    expect(await runTool(bashAt(tree.path), { command, timeout_s: 3 })).toBe("before\nkilled after 3 s\n");
    const pids = await Promise.all(["away", "shell", "child"].map((name) => pidIn(tree.at(name))));
    expect(pids.map(isAlive)).toEqual([false, false, false]);
  });

  test("a process with an emptied environment is found by its descent", async () => {
    using tree = new TemporaryTree({});
    const command = "env -i setsid --wait /bin/bash -c 'echo $$ > pid; while :; do /bin/sleep 0.1; done'";
    expect(await runTool(bashAt(tree.path), { command, timeout_s: 3 })).toBe("killed after 3 s\n");
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
      decision: allowedByUser,
      signal: new AbortController().signal,
      presentSkill: () => undefined,
      presentImage: () => undefined,
      intendChanges: () => Promise.resolve(),
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
    decision: allowedByUser,
    signal: new AbortController().signal,
    presentSkill: () => undefined,
    presentImage: () => undefined,
    intendChanges: () => Promise.resolve(),
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
  // Far below what was read, far above what other tests leave behind in this process.
  expect(peak - before).toBeLessThan(512 * 1024 * 1024);
});
