import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, truncateSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { type RunEvent, RunEventSchema } from "@codelia/protocol";
import { z } from "zod";
import { codelia, type Run, repository } from "../../../test/support/codelia.ts";
import { sleepers, uniqueSleep } from "../../../test/support/processes.ts";
import { TemporaryTree } from "../../../test/support/tree.ts";

interface Task {
  readonly turns: readonly unknown[];
  readonly args?: readonly string[];
  readonly stdin?: string;
}

function project(): TemporaryTree {
  return new TemporaryTree({
    "home/": "",
    "repo/.git/": "",
    "repo/AGENTS.md": "Root rules.\n",
    "repo/a.txt": "one\n",
    "repo/sub/AGENTS.md": "Sub rules.\n",
    "repo/sub/b.txt": "two\n",
    "outside.txt": "secret\n",
  });
}

async function run(tree: TemporaryTree, { turns, args = [], stdin }: Task): Promise<Run> {
  tree.add({ "script.json": JSON.stringify({ turns }) });
  const model = `scripted/${tree.at("script.json")}`;
  return codelia(["run", ...(stdin === undefined ? ["do it"] : []), "--trust", "-m", model, ...args], {
    cwd: tree.at("repo"),
    home: tree.at("home"),
    ...(stdin === undefined ? {} : { stdin }),
  });
}

function call(name: string, args: unknown): unknown {
  return { tool_calls: [{ name, arguments: args }] };
}

function events({ stdout }: Run): (RunEvent & { seq: number })[] {
  const line = z.intersection(z.object({ seq: z.number() }), z.unknown());
  return stdout
    .trimEnd()
    .split("\n")
    .map((text) => {
      const { seq, ...event } = z.looseObject({ seq: z.number() }).parse(line.parse(JSON.parse(text)));
      return { seq, ...RunEventSchema.parse(event) };
    });
}

describe("codelia run", () => {
  test("does the work: the answer is on stdout, the steps are on stderr, the file is changed", async () => {
    using tree = project();
    const { code, stdout, stderr } = await run(tree, {
      turns: [
        call("read", { path: "a.txt" }),
        call("edit", { path: "a.txt", old: "one", new: "three" }),
        call("bash", { command: "cat a.txt sub/b.txt" }),
        { text: "Changed.", expect: { last_tool_output_contains: "three\ntwo" } },
      ],
      args: ["--approval", "full"],
    });
    expect([code, stdout, readFileSync(tree.at("repo/a.txt"), "utf8")]).toEqual([0, "Changed.\n", "three\n"]);
    const steps = stderr.split("\n").filter((line) => line.startsWith("✓"));
    expect(steps.map((line) => line.replace(/ {2}[\d.]+ m?s$/, ""))).toEqual([
      "✓ read a.txt",
      "✓ edit a.txt",
      "✓ run cat a.txt sub/b.txt",
    ]);
  });

  test("--json prints the documented events in order, the last with the result", async () => {
    using tree = project();
    const result = await run(tree, {
      turns: [call("read", { path: "sub/b.txt" }), { text: "Two." }],
      args: ["--json"],
    });
    const all = events(result);
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
    expect(all.map(({ type }) => type).filter((type) => type !== "text.delta")).toEqual([
      "run.started",
      "user.message",
      "turn.started",
      "usage",
      "permission.decided",
      "tool.started",
      "tool.finished",
      "turn.started",
      "usage",
      "run.finished",
    ]);
    const finished = all.find((event) => event.type === "tool.finished");
    expect(finished?.type === "tool.finished" ? finished.output : "").toContain(
      `- ${tree.at("repo/sub/AGENTS.md")} (mtime: `,
    );
    expect(all.at(-1)).toMatchObject({
      status: "done",
      text: "Two.",
      turns: 2,
      cost_usd: 0,
      refused_calls: 0,
    });
  });

  test("reads the prompt from standard input", async () => {
    using tree = project();
    const { code, stdout } = await run(tree, {
      turns: [{ text: "Understood.", expect: { last_user_contains: "from a pipe" } }],
      stdin: "a task from a pipe\n",
    });
    expect([code, stdout]).toEqual([0, "Understood.\n"]);
  });

  test("refuses without a terminal what would be asked, tells the model, and ends with 3", async () => {
    using tree = project();
    const { code, stdout, stderr } = await run(tree, {
      turns: [
        call("bash", { command: "touch made-by-bash" }),
        {
          ...Object(call("write", { path: "new.txt", content: "x" })),
          expect: { last_tool_output_contains: "permission.decision" },
        },
        call("read", { path: "../outside.txt" }),
        { text: "I was not allowed to.", expect: { last_tool_output_contains: "Denied: read" } },
      ],
    });
    expect([code, stdout]).toEqual([3, "I was not allowed to.\n"]);
    expect(stderr).toContain("3 tool calls were refused because nobody could be asked.");
    expect(stderr).toContain("--approval auto-edit");
    expect(["made-by-bash", "new.txt"].map((name) => existsSync(tree.at("repo", name)))).toEqual([
      false,
      false,
    ]);
  });

  test("auto-edit writes inside the project and still refuses commands", async () => {
    using tree = project();
    const { code } = await run(tree, {
      turns: [
        call("write", { path: "new.txt", content: "x\n" }),
        call("bash", { command: "touch y" }),
        { text: "." },
      ],
      args: ["--approval", "auto-edit"],
    });
    expect([code, existsSync(tree.at("repo/new.txt")), existsSync(tree.at("repo/y"))]).toEqual([
      3,
      true,
      false,
    ]);
  });

  test("records what a model said and plays it back to the same end", async () => {
    using tree = project();
    const turns = [call("read", { path: "a.txt" }), { text: "It says one." }];
    const first = await run(tree, { turns, args: ["--record", tree.at("talk.jsonl")] });
    const options = { cwd: tree.at("repo"), home: tree.at("home") };
    const again = await codelia(["run", "do it", "--trust", "--replay", tree.at("talk.jsonl")], options);
    expect([first.code, first.stdout, again.code, again.stdout]).toEqual([
      0,
      "It says one.\n",
      0,
      "It says one.\n",
    ]);
    const other = await codelia(
      ["run", "do something else", "--trust", "--replay", tree.at("talk.jsonl")],
      options,
    );
    expect(other.code).toBe(1);
  });

  test("commands do not see keys", async () => {
    using tree = project();
    tree.add({
      "script.json": JSON.stringify({
        turns: [
          call("bash", { command: "echo key=$ANTHROPIC_API_KEY." }),
          { text: "{{last_tool_output:/(key=.*)/}}" },
        ],
      }),
    });
    const { stdout } = await codelia(
      ["run", "x", "--trust", "--approval", "full", "-m", `scripted/${tree.at("script.json")}`],
      {
        cwd: tree.at("repo"),
        home: tree.at("home"),
        env: { ANTHROPIC_API_KEY: "sk-secret" },
      },
    );
    expect(stdout).toBe("key=.\n");
  });
});

describe("a run that ends otherwise", () => {
  test("at its turn limit ends with 4", async () => {
    using tree = project();
    const { code, stderr } = await run(tree, {
      turns: [{ ...Object(call("read", { path: "a.txt" })), repeat: 9 }],
      args: ["--max-turns", "3"],
    });
    expect(code).toBe(4);
    expect(stderr).toContain("codelia: The limit of 3 turns is reached. Raise it with --max-turns.");
  });

  test("in an untrusted project ends with 3 and says how to trust it", async () => {
    using tree = project();
    const result = await codelia(["run", "x", "-m", "scripted/none.json"], {
      cwd: tree.at("repo"),
      home: tree.at("home"),
    });
    expect(result).toEqual({
      code: 3,
      stdout: "",
      stderr: `codelia: ${tree.at("repo")}: this project is not trusted\nTrust it once with: codelia trust ${tree.at("repo")}\nor for this run only with --trust.\n`,
    });
  });

  test.each([
    [["run", ""], 2, "the prompt is empty"],
    [["run", "a", "b"], 2, "expected one prompt, found 2: put it in quotes"],
    [
      ["run", "--resume", "nope", "go on"],
      2,
      "expected one prompt, found 2: put it in quotes, and --resume=ID for an id that does not look like one",
    ],
    [["run", "x", "--approval", "yes"], 2, "--approval yes: expected one of ask, auto-edit, full"],
    [["run", "x", "--max-turns", "0"], 2, "--max-turns 0: expected a whole number greater than 0"],
    [["run", "x", "--max-cost", "free"], 2, "--max-cost free: expected an amount in USD greater than 0"],
    [["run", "x", "--image", "nothing.png"], 2, "nothing.png"],
    [["run", "x", "--image", "a.txt"], 2, "--image a.txt: expected a PNG, JPEG, GIF or WebP image"],
    [["run", "x", "--trust", "-m", "gpt"], 1, "gpt is no model's name"],
    [["run", "x", "--trust", "-m", "nobody/gpt"], 1, "There is no provider nobody"],
    [["run", "x", "--trust", "-m", "anthropic/claude"], 1, "There is no key for anthropic"],
    [["run", "x", "--trust", "-m", "scripted/none.json"], 1, "none.json: there is no such file"],
    [["run", "x", "--trust", "--replay", "a.txt"], 1, "a.txt: "],
    [
      ["run", "x", "--trust", "-m", "ollama/nobody-knows", "--max-cost", "1"],
      1,
      "the price of ollama/nobody-knows is not known, so a cost limit cannot hold",
    ],
  ])("%j says what is wrong", async (args, code, message) => {
    using tree = project();
    const result = await codelia(args, { cwd: tree.at("repo"), home: tree.at("home") });
    expect([result.code, result.stdout]).toEqual([code, ""]);
    expect(result.stderr).toContain(message);
  });

  test("an image is a regular file of at most 20 MiB: nothing else is waited for or read", async () => {
    using tree = project();
    tree.add({
      "repo/pipe.png": { fifo: true },
      "repo/endless.png": { link: "/dev/zero" },
      "repo/folder.png/": "",
      "repo/large.png": "",
    });
    truncateSync(tree.at("repo/large.png"), 20 * 1024 * 1024 + 1);
    const said = async (file: string) => {
      const { code, stderr } = await codelia(["run", "x", "--image", file], {
        cwd: tree.at("repo"),
        home: tree.at("home"),
      });
      return [code, stderr.split("\n")[0]?.replace(tree.at("repo"), "")];
    };
    expect(
      await Promise.all(["pipe", "endless", "folder", "large"].map((name) => said(`${name}.png`))),
    ).toEqual([
      [2, "codelia: --image /pipe.png: it is no regular file"],
      [2, "codelia: --image /endless.png: it is no regular file"],
      [2, "codelia: --image /folder.png: it is no regular file"],
      [2, "codelia: --image /large.png: it has more than 20 MiB"],
    ]);
  });

  // A file on a disk that is always full, which not every system has.
  const withFullDisk = test.skipIf(!existsSync("/dev/full"));
  withFullDisk(
    "an answer that cannot be written is a failure in words; progress that cannot be is none",
    async () => {
      using tree = project();
      tree.add({
        "script.json": JSON.stringify({ turns: [call("read", { path: "a.txt" }), { text: "One." }] }),
      });
      const into = (redirection: string) =>
        codelia(["run", "x", "--trust", "-m", `scripted/${tree.at("script.json")}`], {
          cwd: tree.at("repo"),
          home: tree.at("home"),
          through: ["sh", "-c", `exec "$@" ${redirection}`, "sh"],
        });
      const { code, stderr } = await into("> /dev/full");
      expect([code, stderr.trimEnd().split("\n").at(-1)]).toEqual([
        1,
        "codelia: standard output cannot be written: ENOSPC: no space left on device, write",
      ]);
      expect(await into("2> /dev/full")).toEqual({ code: 0, stdout: "One.\n", stderr: "" });
    },
  );

  test("a prompt of more than 32 MiB on standard input is refused, and no more of it is read", async () => {
    using tree = project();
    const { code, stderr } = await codelia(["run", "--trust", "-m", "scripted/none.json"], {
      cwd: tree.at("repo"),
      home: tree.at("home"),
      stdin: "x".repeat(32 * 1024 * 1024 + 1),
    });
    expect([code, stderr.split("\n")[0]]).toEqual([
      2,
      "codelia: the prompt has more than 32 MiB: give it as a file to read",
    ]);
  });

  test("with a wrong key, an unknown model or no network says so and what to do next", async () => {
    using tree = project();
    await using server = await answering((url) =>
      url.includes("/missing") || url.includes("messages") ? 401 : 404,
    );
    const ask = (env: Record<string, string>) =>
      codelia(["run", "x", "--trust", "-m", "anthropic/claude-x"], {
        cwd: tree.at("repo"),
        home: tree.at("home"),
        env,
      });
    const wrongKey = await ask({ ANTHROPIC_API_KEY: "sk-wrong-key", ANTHROPIC_BASE_URL: server.url });
    expect(wrongKey.code).toBe(1);
    expect(wrongKey.stderr).toContain("AuthError");
    expect(wrongKey.stderr).toContain("Check the provider's key");
    expect(wrongKey.stderr).not.toContain("sk-wrong-key");
  });

  test("without a network says that nobody answers, after as many attempts as configured", async () => {
    using tree = project();
    const result = await codelia(
      ["run", "x", "--trust", "-m", "openai/gpt-x", "-c", "models.maxAttempts=2"],
      {
        cwd: tree.at("repo"),
        home: tree.at("home"),
        env: { OPENAI_API_KEY: "sk-key", OPENAI_BASE_URL: "http://127.0.0.1:9/v1" },
      },
    );
    expect([result.code, result.stdout]).toEqual([1, ""]);
    expect(result.stderr).toContain("trying again in");
    expect(result.stderr).toContain("(attempt 2)");
    expect(result.stderr).toContain("codelia: ConnectionError: ");
    expect(result.stderr).toContain("Check the network and the provider's base URL");
  });

  test("with a tool that hangs ends that tool at its time limit and goes on", async () => {
    using tree = project();
    const { code, stdout } = await run(tree, {
      turns: [
        call("bash", { command: "sleep 300", timeout_s: 1 }),
        { text: "It hung.", expect: { last_tool_output_contains: "killed after 1 s" } },
      ],
      args: ["--approval", "full"],
    });
    expect([code, stdout]).toEqual([0, "It hung.\n"]);
  });

  test("that meets a binary file, invalid UTF-8 or two gigabytes tells the model and loses nothing", async () => {
    using tree = project();
    tree.add({
      "repo/binary": Uint8Array.of(0, 1, 2, 0),
      "repo/latin1.txt": Uint8Array.of(0x61, 0xe9, 0x0a),
      "repo/huge": "start\n",
    });
    truncateSync(tree.at("repo/huge"), 2 * 1024 ** 3);
    const { code, stdout } = await run(tree, {
      turns: [
        {
          tool_calls: ["binary", "latin1.txt", "huge"].map((path) => ({ name: "read", arguments: { path } })),
        },
        {
          ...Object(call("edit", { path: "latin1.txt", old: "a", new: "b" })),
          expect: {
            request_contains: [
              "binary is a binary file of 4 bytes",
              "are not valid UTF-8",
              "huge is a binary file of 2 GiB",
            ],
          },
        },
        { text: "Understood.", expect: { last_tool_output_contains: "latin1.txt" } },
      ],
      args: ["--approval", "full"],
    });
    expect([code, stdout]).toEqual([0, "Understood.\n"]);
    expect([...readFileSync(tree.at("repo/latin1.txt"))]).toEqual([0x61, 0xe9, 0x0a]);
  });

  test("by an interrupt ends with 130 and leaves no process behind", async () => {
    using tree = project();
    const seconds = uniqueSleep();
    tree.add({
      "script.json": JSON.stringify({
        turns: [call("bash", { command: `sleep ${seconds}` }), { text: "never" }],
      }),
    });
    const main = join(repository, "packages/codelia/src/main.ts");
    const child = Bun.spawn(
      [
        process.execPath,
        main,
        "run",
        "x",
        "--trust",
        "--approval",
        "full",
        "-m",
        `scripted/${tree.at("script.json")}`,
      ],
      {
        cwd: tree.at("repo"),
        env: { PATH: process.env.PATH ?? "", HOME: tree.at("home"), PWD: tree.at("repo") },
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    while (sleepers(seconds).length === 0) await Bun.sleep(10);
    child.kill("SIGINT");
    expect(await child.exited).toBe(130);
    expect(sleepers(seconds)).toEqual([]);
  });
});

test("codelia demo fixes the failing test of the example for real", async () => {
  using tree = new TemporaryTree({ "tmp/": "" });
  const result = await codelia(["demo"], {
    cwd: tree.path,
    home: tree.path,
    env: { TMPDIR: tree.at("tmp") },
  });
  expect(result.code).toBe(0);
  expect(result.stdout).toStartWith("Fixed.");
  const copy = /A copy of the example project is in (\S+)/.exec(result.stderr)?.[1] ?? "";
  expect(result.stderr).toContain(
    `further instructions apply: ${join(copy, "../../libs/money/CONVENTIONS.md")}`,
  );
  const tests = Bun.spawn([process.execPath, "test"], {
    cwd: join(copy, "../.."),
    stdout: "ignore",
    stderr: "pipe",
  });
  expect(await new Response(tests.stderr).text()).toContain(" 20 pass\n 0 fail");
});

async function answering(status: (url: string) => number): Promise<AsyncDisposable & { url: string }> {
  const server: Server = createServer((request, response) => {
    response.writeHead(status(request.url ?? ""), { "content-type": "application/json" });
    response.end(
      JSON.stringify({
        type: "error",
        error: { type: "authentication_error", message: "invalid x-api-key" },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
