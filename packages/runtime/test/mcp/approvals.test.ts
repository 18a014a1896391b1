import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import type { ConfirmParams } from "@codelia/protocol";
import type { McpServerConfig } from "@codelia/shared-types";
import { hostileServer, McpScene } from "./mcp-scene.ts";

const act = [["mcp_call", { server: "box", tool: "act" }]] as const;

function starts({ tree }: McpScene): number {
  return readFileSync(tree.at("repo/starts.log"), "utf8").split("\n").length - 1;
}

describe("an approval", () => {
  test("is kept for the user alone, and lets later sessions use the server without starting it at once", async () => {
    using scene = new McpScene({ "repo/starts.log": "" });
    scene.configure({ box: hostileServer("good") });
    await scene.approve("box");
    const idle = await scene.run([]);
    const startsWhenIdle = starts(scene);
    const used = await scene.run(act);
    const folder = scene.tree.at("home/.codelia/mcp/approvals");
    const modes = readdirSync(folder).map((name) => (statSync(`${folder}/${name}`).mode & 0o777).toString(8));
    expect([idle.status, startsWhenIdle, used.status, used.decisions, starts(scene), modes]).toEqual([
      "done",
      1,
      "done",
      ["allow by mode"],
      2,
      ["600"],
    ]);
  });

  test("is asked for with the command, then with the tools, and a no uses nothing", async () => {
    using scene = new McpScene({ "repo/starts.log": "" });
    scene.configureProject({
      box: { ...hostileServer("good"), passEnv: ["BOX_TOKEN"], network: ["example.org"] },
    });
    const asked: ConfirmParams[] = [];
    const { status, notices } = await scene.run([], {
      confirm: (question) => {
        asked.push(question);
        return Promise.resolve(asked.length === 1 ? { decision: "allow_once" } : { decision: "deny" });
      },
    });
    expect(
      asked.map(({ tool, title, preview, why, keeps }) => ({ tool, title, preview, why, keeps })),
    ).toEqual([
      {
        tool: "MCP server box",
        title: "start the MCP server box",
        preview: `- it runs in ${scene.cwd}\n- it gets your variable BOX_TOKEN\n- it may reach example.org`,
        why: "it was not approved yet",
        keeps: undefined,
      },
      {
        tool: "MCP server box",
        title: "use the tools of the MCP server box",
        preview: "- echo: says it again\n- act: does act\n- count: does count",
        why: "what it offers was not approved yet",
        keeps: "approval of box with exactly these tools",
      },
    ]);
    expect([status, notices, existsSync(scene.tree.at("home/.codelia/mcp"))]).toEqual([
      "done",
      ["MCP server box is not used: you did not want its tools to be used."],
      false,
    ]);
  });

  test.each([
    ["yes", ["allow_once", "allow_session"] as const, 2, ["{}"], "done"],
    [
      "no to its start",
      ["deny"] as const,
      1,
      ["MCP server box is not used in this session: it is not approved."],
      "done",
    ],
    [
      "no to its tools",
      ["allow_once", "deny"] as const,
      2,
      ["MCP server box is not used in this session: it is not approved."],
      "done",
    ],
  ])("holds for the whole session, and only for it: %s", async (_, answers, questions, outputs, status) => {
    using scene = new McpScene();
    scene.configureProject({ box: hostileServer("good") });
    const client = scene.client();
    let asked = 0;
    const confirm = () => Promise.resolve({ decision: answers[asked++ % answers.length] ?? "deny" });
    const first = await scene.run([], { client, confirm });
    const again = await scene.run(act, { client, confirm, resume: first.sessionId });
    const askedInSession = asked;
    await scene.run([], { client, confirm });
    expect([askedInSession, again.status, again.outputs, again.notices, asked]).toEqual([
      questions,
      status,
      outputs,
      [],
      questions * 2,
    ]);
  });

  test("for the session does not hold for another command", async () => {
    using scene = new McpScene();
    scene.configureProject({ box: hostileServer("good") });
    const client = scene.client();
    let asked = 0;
    const confirm = () => {
      asked += 1;
      return Promise.resolve({ decision: "allow_session" as const });
    };
    const { sessionId } = await scene.run([], { client, confirm });
    scene.configureProject({ box: hostileServer("good", "another-word") });
    await scene.run([], { client, confirm, resume: sessionId });
    expect(asked).toBe(4);
  });

  test("that a cancelled run never got is asked for again", async () => {
    using scene = new McpScene();
    scene.configureProject({ box: hostileServer("good") });
    const client = scene.client();
    const { sessionId } = await scene.run([], { client, confirm: () => Promise.reject(new Error("gone")) });
    let asked = 0;
    const confirm = () => {
      asked += 1;
      return Promise.resolve({ decision: "allow_once" as const });
    };
    await scene.run([], { client, confirm, resume: sessionId });
    expect(asked).toBe(2);
  });

  test("given for always in a run is there in the next", async () => {
    using scene = new McpScene();
    scene.configureProject({ box: hostileServer("good") });
    await scene.run([], { confirm: () => Promise.resolve({ decision: "allow_always" }) });
    const { status, outputs, notices } = await scene.run(act);
    expect([status, outputs, notices]).toEqual(["done", ["{}"], []]);
  });

  test("does not hold for another command, directory, variable or host: the server is not started", async () => {
    using scene = new McpScene({ "repo/starts.log": "" });
    const good = hostileServer("good");
    scene.configureProject({ box: good });
    await scene.approve("box");
    const changes: Partial<McpServerConfig>[] = [
      { args: ["other"] },
      { env: { NODE_OPTIONS: "--import ./evil.js" } },
      { passEnv: ["ANTHROPIC_API_KEY"] },
      { network: ["evil.example"] },
      { cwd: ".." },
    ];
    const runs: unknown[] = [];
    for (const change of changes) {
      scene.configureProject({ box: { ...good, ...change } });
      const { status, notices, error } = await scene.run([]);
      runs.push([status, notices, error, starts(scene)]);
    }
    expect(runs).toEqual(
      changes.map(() => [
        "needs_permission",
        [
          "MCP server box is not used: its command or address is not what was approved. Approve it with: codelia mcp approve box",
        ],
        "1 MCP server was not used because nobody could be asked.",
        // That of the approval.
        1,
      ]),
    );
  });

  test("of the user's server is none of a project's of the same name, and a project cannot replace the user's", async () => {
    using scene = new McpScene({ "repo/starts.log": "" });
    scene.configure({ box: hostileServer("good") });
    scene.configureProject({ box: { command: "/bin/false" } });
    await scene.approve("box");
    const { notices, status } = await scene.run(act);
    expect([notices, status]).toEqual([
      [
        `${scene.tree.at("repo/.codelia/config.json")}:1:26: mcp.servers.box is not used: a project may not set it, only your own config, the environment and flags.`,
      ],
      "done",
    ]);
    scene.configure({});
    const project = await scene.client().call("mcp.list", { cwd: scene.cwd });
    expect(project.servers.map(({ name, scope, state }) => [name, scope, state])).toEqual([
      ["box", "project", "unapproved"],
    ]);
  });

  test.each<[string, McpServerConfig, string]>([
    ["a secret", { command: "x", env: { GITHUB_TOKEN: "abc" } }, "GITHUB_TOKEN"],
    ["a way out of the sandbox", { command: "x", sandbox: "off" }, "sandbox"],
    [
      "a header that says who one is",
      { url: "https://example.org", headers: { Authorization: "Bearer x" } },
      "Authorization",
    ],
  ])("cannot be given to a project's server with %s", async (_, server, named) => {
    using scene = new McpScene();
    scene.configureProject({ box: server });
    const { servers } = await scene.client().call("mcp.list", { cwd: scene.cwd });
    const refusal = await scene.approve("box").then(
      () => "approved",
      (error: unknown) => String(error),
    );
    expect([
      servers.map(({ state, reason = "" }) => [state, reason.includes(named)]),
      refusal.includes(named),
    ]).toEqual([[["unusable", true]], true]);
  });
});

test("a call that no rule allows is asked about, and always is about this tool of this server", async () => {
  using scene = new McpScene();
  scene.configure({ box: hostileServer("good") });
  const asked: ConfirmParams[] = [];
  const { decisions } = await scene.run([["mcp__box__echo", { text: "a" }], ...act], {
    approval: "ask",
    confirm: (question) => {
      asked.push(question);
      const isAct = question.detail.includes("act");
      return Promise.resolve({ decision: isAct ? "deny" : "allow_always" });
    },
  });
  const questions = asked.map(({ tool, detail, remember }) => ({ tool, detail, remember }));
  const config: unknown = JSON.parse(readFileSync(scene.tree.at("home/.codelia/config.json"), "utf8"));
  expect([decisions, questions.slice(1), config]).toEqual([
    ["allow by user", "deny by user"],
    [
      {
        tool: "mcp__box__echo",
        detail: 'mcp__box__echo {"text":"a"}',
        remember: [{ tool: "mcp__box__echo", server: "box" }],
      },
      { tool: "mcp_call", detail: "mcp__box__act {}", remember: [{ tool: "mcp__box__act", server: "box" }] },
    ],
    {
      mcp: { servers: { box: hostileServer("good") } },
      permissions: { allow: [{ tool: "mcp__box__echo", server: "box" }] },
    },
  ]);
});
