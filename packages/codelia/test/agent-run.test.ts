import { describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FlowListResultSchema } from "@codelia/protocol";
import { repository } from "../../../test/support/codelia.ts";
import { sleepers, uniqueSleep } from "../../../test/support/processes.ts";
import { inTerminal } from "../../../test/support/terminal.ts";
import { agentFiles, FlowDesk, outcomeOf } from "./flow-desk.ts";

const complete = { complete: true };

describe("codelia agent run", () => {
  test("shows its steps, writes their outputs to standard output, and keeps the run", async () => {
    const steps = { greet: { prompt: "p.md", output: { word: { type: "string" } }, onPass: complete } };
    using desk = new FlowDesk(
      agentFiles("hello", { parameters: { who: {} }, steps }, { "p.md": "Greet {param-who}." }),
      [{ text: "word: hi", expect: { last_user_contains: "Greet Ada" } }],
    );
    const { code, stdout, stderr } = await desk.run("hello", ["--param", "who=Ada"]);
    expect([code, JSON.parse(stdout)]).toEqual([0, { greet: { word: "hi" } }]);
    const [first = "", ...rest] = stderr.trim().split("\n");
    const id = /^run (\S+) of hello in /.exec(first)?.[1] ?? "";
    expect(rest.map((line) => line.replaceAll(/\d+ tokens in, \d+ out/g, "N"))).toEqual([
      "▸ greet  iteration 1",
      "✓ greet: the output is as it was declared  (so far N, $0.0000)",
      "  → complete",
      'done: the step "greet" completed the flow  1 iteration, N, $0.0000',
    ]);
    const runs = await desk.agent(["runs"]);
    expect(runs.stdout).toContain(`${id}  `);
    const logs = await desk.agent(["logs", id.slice(-8)]);
    expect(logs.stdout.split("\n").map((line) => line.slice(21, 50))).toEqual([
      `started hello in ${desk.tree.at("repo")}`.slice(0, 29),
      "#1 asks greet, iteration 1: G",
      "#1 answered: word: hi",
      "iteration 1 of greet passed: ",
      "greet → complete: the check p",
      'done: the step "greet" comple',
      "",
    ]);
  });

  test("an interrupt ends it with a Result, and leaves no process", async () => {
    const seconds = uniqueSleep();
    const check = { type: "command", command: ["sh", "-c", `sleep ${seconds} & sleep ${seconds}`] };
    using desk = new FlowDesk(
      agentFiles("slow", { steps: { a: { prompt: "p.md", check, onPass: complete } } }),
    );
    const { cwd, home } = desk.place;
    const main = join(repository, "packages/codelia/src/main.ts");
    const child = Bun.spawn(
      [process.execPath, main, "agent", "run", "slow", "--trust", "--json", "-m", desk.model],
      { cwd, env: { PATH: process.env.PATH ?? "", HOME: home, PWD: cwd }, stdout: "pipe", stderr: "ignore" },
    );
    const stdout = new Response(child.stdout).text();
    while (sleepers(seconds).length < 2) await Bun.sleep(10);
    child.kill("SIGINT");
    const code = await child.exited;
    const { status, result } = outcomeOf({ stdout: await stdout });
    expect([code, status, result.failure?.code, result.iterations, sleepers(seconds)]).toEqual([
      130,
      "interrupted",
      "Stopped",
      1,
      [],
    ]);
    const runs = await desk.agent(["runs", "--json"]);
    const { runs: listed } = FlowListResultSchema.parse(JSON.parse(runs.stdout));
    expect(listed.map(({ state }) => state)).toEqual(["stopped"]);
  });
});

describe("what is wrong", () => {
  const step = { prompt: "p.md", onPass: complete };
  const never = { type: "command", command: ["false"] };
  const cases: readonly [string, agent: unknown, code: number, failure: string, words: string][] = [
    [
      "JSON with a trailing comma",
      '{"steps": {\n  "a": 1,\n}}',
      1,
      "ParseError",
      "agent.json:2:9: remove this comma",
    ],
    [
      "a cycle without an exit",
      { steps: { a: { ...step, onPass: { next: "b" } }, b: { ...step, onPass: { next: "a" } } } },
      1,
      "Invalid",
      "agent.json:1:",
    ],
    [
      "an unknown step",
      { steps: { a: { ...step, onPass: { next: "c" } } } },
      1,
      "Invalid",
      "/steps/a/onPass/next: ",
    ],
    ["a wrong type", { steps: { a: { ...step, retries: "3" } } }, 1, "Invalid", "/steps/a/retries: "],
    [
      "a prompt that is missing",
      { steps: { a: { ...step, prompt: "no.md" } } },
      1,
      "Invalid",
      "no prompt no.md",
    ],
    [
      "a parameter that is missing",
      { parameters: { who: {} }, steps: { a: step } },
      1,
      "BadArguments",
      '"who" is missing',
    ],
    [
      "a model that never completes",
      { limits: { iterations: 3 }, steps: { a: { ...step, check: never, retries: 100 } } },
      4,
      "IterationLimit",
      "not complete after 3 iterations",
    ],
  ];

  test.each(cases)(
    "%s is a typed error in the Result, with its exit code",
    async (_, agent, code, failure, words) => {
      using desk = new FlowDesk(agentFiles("bad", agent));
      const run = await desk.run("bad", ["--json"]);
      const { result } = outcomeOf(run);
      expect([run.code, result.success, result.failure?.code]).toEqual([code, false, failure]);
      expect(result.error).toContain(words);
    },
  );

  test("without agent.json there is no agent, and the place is named", async () => {
    using desk = new FlowDesk({ ".codelia/agents/empty/": "" });
    const run = await desk.run("empty");
    const file = desk.tree.at("repo/.codelia/agents/empty/agent.json");
    expect([run.code, run.stderr]).toEqual([
      1,
      `failed  0 iterations, 0 tokens in, 0 out, $0.0000\ncodelia: ${file}: there is no such file. Name the directory of a flow agent.\n`,
    ]);
    const other = await desk.run("emtpy");
    expect([other.code, other.stderr.split("\n")[0]]).toEqual([
      1,
      "codelia: emtpy: there is no agent with this name here",
    ]);
  });

  test("a provider that is down ends the run after its retries, with the error of the connection", async () => {
    using closed = Bun.serve({ port: 0, fetch: () => new Response() });
    const baseUrl = `http://127.0.0.1:${closed.port}/v1`;
    await closed.stop(true);
    using desk = new FlowDesk(
      agentFiles("far", { recovery: { maxAttempts: 2, baseDelayMs: 1 }, steps: { a: step } }),
    );
    const config = { models: { providers: { gone: { baseUrl, apiKey: "key" } }, maxAttempts: 1 } };
    desk.tree.add({ "home/.codelia/config.json": JSON.stringify(config) });
    const run = await desk.agent(["run", "far", "--trust", "--json", "-m", "gone/some-model"]);
    const { result } = outcomeOf(run);
    expect([run.code, result.failure?.layer, result.failure?.code, result.summaries[0]?.queries]).toEqual([
      1,
      "connection",
      "ConnectionError",
      2,
    ]);
  });

  test("an untrusted project's agents do not run", async () => {
    using desk = new FlowDesk(agentFiles("a", { steps: { a: step } }));
    const { code, stderr } = await desk.agent(["run", "a"]);
    expect([code, stderr.split("\n")[0]]).toEqual([
      3,
      `codelia: ${desk.tree.at("repo")}: this project is not trusted`,
    ]);
  });
});

describe("codelia agent resume", () => {
  const bash = { tool_calls: [{ name: "bash", arguments: { command: "echo x >> log" } }] };
  const killed = async (): Promise<{ desk: FlowDesk; id: string }> => {
    const steps = { a: { prompt: "p.md", tools: ["bash"], onPass: complete } };
    const desk = new FlowDesk(agentFiles("push", { steps }), [bash, { text: "done" }]);
    await desk.run("push");
    const id = desk.cutAfter("flows", '"type":"effect.intent"');
    desk.cutAfter("sessions", '"type":"tool.intent"');
    desk.tree.add({ "script.json": JSON.stringify({ turns: [{ text: "done" }] }) });
    return { desk, id };
  };

  test("says without a terminal what is not known, and how to answer", async () => {
    const { desk, id } = await killed();
    using _ = desk;
    const { code, stderr } = await desk.agent(["resume", id, "--trust"]);
    expect([code, stderr.trim().split("\n").slice(-2)]).toEqual([
      3,
      [
        `Look whether it was done, then: codelia agent resume ${id} --done`,
        `or, to have it done again: codelia agent resume ${id} --repeat`,
      ],
    ]);
  });

  test("leaves the run open where its model cannot be used just now, and takes -m from where the user is", async () => {
    const { desk, id } = await killed();
    using _ = desk;
    desk.tree.add({ "repo/sub/": "", "other.json": JSON.stringify({ turns: [{ text: "done" }] }) });
    rmSync(desk.tree.at("script.json"));
    const without = await desk.agent(["resume", id, "--trust", "--done"]);
    const runs = await desk.agent(["runs", "--json"]);
    const from = ["-C", "sub", "-m", "scripted/../../other.json"];
    const resumed = await desk.agent(["resume", id, "--trust", "--done", ...from]);
    expect([without.code, without.stderr, runs.stdout.includes('"state": "open"'), resumed.code]).toEqual([
      1,
      `codelia: ${desk.tree.at("script.json")}: there is no such file\nName an existing script or recording.\n`,
      true,
      0,
    ]);
  });

  test("asks in a terminal, and goes on with the answer", async () => {
    const { desk, id } = await killed();
    using _ = desk;
    const prompt = "[n] leave the run as it is: ";
    const { code, screen } = await inTerminal(["agent", "resume", id, "--trust"], {
      ...desk.place,
      prompt,
      answers: ["d"],
    });
    expect([code, screen.split(prompt).length - 1]).toEqual([0, 1]);
    expect(screen).toContain("run echo x >> log");
    expect(screen).toContain('done: the step "a" completed the flow');
  });
});

test("codelia agent logs -f follows a run to its end", async () => {
  const check = { type: "command", command: ["sh", "-c", "read line < gate"] };
  using desk = new FlowDesk({
    ...agentFiles("gated", { steps: { a: { prompt: "p.md", check, onPass: complete } } }),
    gate: { fifo: true },
  });
  const running = desk.run("gated");
  const folder = desk.tree.at("home/.codelia/flows");
  const found = new Bun.Glob("*/*/journal.jsonl");
  const ids = () => {
    try {
      return [...found.scanSync({ cwd: folder })].map((path) => path.split("/")[1] ?? "");
    } catch {
      return [];
    }
  };
  while (ids().length === 0) await Bun.sleep(10);
  const { cwd, home } = desk.place;
  const main = join(repository, "packages/codelia/src/main.ts");
  const logs = Bun.spawn([process.execPath, main, "agent", "logs", "-f", ids()[0] ?? ""], {
    cwd,
    env: { PATH: process.env.PATH ?? "", HOME: home, PWD: cwd },
    stdout: "pipe",
    stderr: "ignore",
  });
  let shown = "";
  for await (const chunk of logs.stdout.pipeThrough(new TextDecoderStream())) {
    const hadCheck = shown.includes("check of a");
    shown += chunk;
    if (!hadCheck && shown.includes("check of a")) writeFileSync(desk.tree.at("repo/gate"), "go\n");
  }
  expect([await logs.exited, (await running).code]).toEqual([0, 0]);
  expect(shown.trim().split("\n").at(-1)).toContain('done: the step "a" completed the flow');
});
