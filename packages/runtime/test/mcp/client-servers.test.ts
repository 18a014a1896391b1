import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { ClientServer, ConfirmParams } from "@codelia/protocol";
import { broughtProgram, hostileServer, McpScene, packagedServer, yes } from "./mcp-scene.ts";

const act = (server: string) => ["mcp_call", { server, tool: "act" }] as const;

/** Everything that is in Codelia's home, as one text. */
function kept({ tree }: McpScene): string {
  const home = tree.at("home/.codelia");
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, "latin1"))
    .join("\n");
}

describe("a server that the client brings", () => {
  test("is asked about before it starts and before its tools are used, then works like one of the settings", async () => {
    using scene = new McpScene();
    const asked: ConfirmParams[] = [];
    const server = broughtProgram("My Everything", packagedServer("server-everything", "stdio"), {
      PLAIN: "plain-value",
      API_TOKEN: "0123456789",
    });
    const { status, outputs, notices } = await scene.run(
      [
        ["mcp__my-everything__echo", { message: "hello" }],
        ["mcp_call", { server: "my-everything", tool: "get-sum", arguments: { a: 2, b: 40 } }],
      ],
      {
        servers: [server],
        confirm: (question) => {
          asked.push(question);
          return yes(question);
        },
      },
    );
    expect([status, outputs, notices]).toEqual(["done", ["Echo: hello", "The sum of 2 and 40 is 42."], []]);
    expect(asked.map(({ title, why, keeps }) => [title, why, keeps])).toEqual([
      ["start the MCP server my-everything", "it was not approved yet", undefined],
      [
        "use the tools of the MCP server my-everything",
        "what it offers was not approved yet",
        "approval of my-everything with exactly these tools",
      ],
    ]);
    expect(asked[0]?.preview).toBe(
      `- it runs in ${scene.cwd}\n- it gets PLAIN=plain-value\n- it gets API_TOKEN`,
    );
  });

  test("is not started where nobody can be asked, and the run says so", async () => {
    using scene = new McpScene({ "repo/starts.log": "" });
    const { status, notices } = await scene.run([], {
      servers: [broughtProgram("box", hostileServer("good"))],
    });
    expect([status, notices, readFileSync(scene.tree.at("repo/starts.log"), "utf8")]).toEqual([
      "needs_permission",
      ["MCP server box is not used: it is not approved."],
      "",
    ]);
  });

  test("is approved for later runs of this project, with this command, and until it is revoked", async () => {
    using scene = new McpScene({ "other/.codelia/": "" });
    const token = { BOX_TOKEN: "first-token" };
    const server = broughtProgram("box", hostileServer("good"), token);
    await scene.run([], {
      servers: [server],
      confirm: () => Promise.resolve({ decision: "allow_always" }),
    });
    const used = await scene.run([act("box")], { servers: [server] });
    // A token that was renewed is no other server; another variable or another command is.
    const renewed = { ...server, env: { BOX_TOKEN: "second-token" } };
    const variants: ClientServer[] = [
      renewed,
      { ...server, env: { BOX_TOKEN: "x", NODE_OPTIONS: "--import ./evil.js" } },
      broughtProgram("box", hostileServer("good", "more"), token),
    ];
    const statuses = [];
    for (const variant of variants) statuses.push((await scene.run([], { servers: [variant] })).status);
    const revoked = await scene.client().call("mcp.approve", { cwd: scene.cwd, name: "box", revoke: true });
    const after = await scene.run([], { servers: [server] });
    expect([used.outputs, statuses, revoked, after.status, kept(scene).includes("-token")]).toEqual([
      ["{}"],
      ["done", "needs_permission", "needs_permission"],
      { tools: [], notices: [] },
      "needs_permission",
      false,
    ]);
  });

  test("runs in a sandbox, without the user's secrets, and reaches the hosts that the user names alone", async () => {
    await using web = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("reached") });
    using scene = new McpScene({ "home/.ssh/id_rsa": "PRIVATE" }, { MY_API_KEY: "a-secret-value-of-mine" });
    const outside = scene.tree.at("home/outside");
    const address = `http://localhost:${web.port}/`;
    const server = broughtProgram(
      "box",
      hostileServer("escape", outside, scene.tree.at("home/.ssh/id_rsa"), address),
    );
    const held = await scene.run([act("box")], { servers: [server], confirm: yes });
    scene.tree.add({
      "home/.codelia/config.json": JSON.stringify({ mcp: { clientNetwork: [`localhost:${web.port}`] } }),
    });
    const granted = await scene.run([act("box")], { servers: [server], confirm: yes });
    const all = {
      outside: "held",
      config: "held",
      hooks: "held",
      key: "held",
      network: "held",
      variables: "",
    };
    expect([held.outputs, granted.outputs]).toEqual([
      [JSON.stringify(all)],
      [JSON.stringify({ ...all, network: "reached" })],
    ]);
    expect(existsSync(outside)).toBe(false);
  });
});

describe("what a client gives to its servers", () => {
  const given = { GIVEN: "the value of nobody else", GIVEN_TOKEN: "abcdef-0123456789" };
  const secrets = Object.values(given);

  test("is in no event, journal or approval, whatever the server says", async () => {
    using scene = new McpScene();
    const questions: ConfirmParams[] = [];
    const { status, outputs, events } = await scene.run(
      [act("box"), ["mcp__box__act", { die: true }], act("dead")],
      {
        servers: [
          broughtProgram("box", hostileServer("telltale"), given),
          broughtProgram("dead", hostileServer("die-telling"), given),
        ],
        confirm: (question) => {
          questions.push(question);
          return Promise.resolve({ decision: "allow_always" });
        },
      },
    );
    const said = `${JSON.stringify(events)}\n${kept(scene)}`;
    expect([status, outputs[0], secrets.filter((secret) => said.includes(secret))]).toEqual([
      "done",
      "GIVEN=[redacted: GIVEN of MCP server box] GIVEN_TOKEN=[redacted: GIVEN_TOKEN of MCP server box]",
      [],
    ]);
    // Where a token is asked about, its name is enough.
    expect(JSON.stringify(questions).includes(given.GIVEN_TOKEN)).toBe(false);
  });

  test("but for paths of the project, which are no secrets", async () => {
    using scene = new McpScene();
    const server = broughtProgram("box", hostileServer("telltale"), { GIVEN: scene.cwd });
    const { outputs } = await scene.run([act("box")], { servers: [server], confirm: yes });
    expect(outputs).toEqual([`GIVEN=${scene.cwd} GIVEN_TOKEN=`]);
  });

  test("is not in the error about one that cannot be used", async () => {
    using scene = new McpScene();
    const bad: ClientServer[] = [
      { name: "nul", command: "x", args: [], env: { A: "hidden-value\0" } },
      { name: "name", command: "x", args: [], env: { "A B": "hidden-value" } },
      { name: "path", command: "./x", args: [], env: { A: "hidden-value" } },
      { name: "plain http", url: "http://example.org/mcp", headers: { A: "hidden-value" } },
      { name: "line", url: "https://example.org/mcp", headers: { A: "hidden-value\r\nB: c" } },
      { name: "userinfo", url: "https://u:hidden-value@example.org/mcp", headers: {} },
      { name: "no url", url: "hidden-value", headers: {} },
    ];
    const { status, notices } = await scene.run([], { servers: bad, confirm: yes });
    expect([status, notices]).toEqual([
      "done",
      [
        "MCP server nul is not used: env.A: expected a text without the character NUL.",
        "MCP server name is not used: env.A B: expected the name of an environment variable.",
        "MCP server path is not used: command is neither a name nor an absolute path; write one of them.",
        "MCP server plain-http is not used: url: expected https:// (http:// is for this machine only).",
        "MCP server line is not used: headers.A: expected a text on one line.",
        "MCP server userinfo is not used: url: expected an address without a name and a password; use bearerTokenEnv or headers.",
        "MCP server no-url is not used: url: expected an http or https address.",
      ],
    ]);
  });
});

describe("names", () => {
  test("that are taken get a number in the order in which they come, and that is said once in a session", async () => {
    using scene = new McpScene();
    scene.configure({ box: hostileServer("good") });
    await scene.approve("box");
    const client = scene.client();
    const servers = [
      broughtProgram("Box!", hostileServer("good", "one")),
      broughtProgram("box", hostileServer("good", "two")),
      broughtProgram("日本", hostileServer("good", "three")),
    ];
    const options = { client, servers, confirm: yes };
    const first = await scene.run([act("box"), act("box-2"), act("box-3"), act("server")], options);
    const again = await scene.run([act("box-3")], { ...options, resume: first.sessionId });
    expect([first.outputs, first.notices, again.outputs, again.notices]).toEqual([
      ["{}", "{}", "{}", "{}"],
      [
        "The MCP server Box! is called box-2 in this session: box is another one.",
        "The MCP server box is called box-3 in this session: box is another one.",
      ],
      ["{}"],
      [],
    ]);
  });

  test("of a server that the settings have, with the same command, are theirs", async () => {
    using scene = new McpScene();
    scene.configure({ box: hostileServer("good") });
    await scene.approve("box");
    const servers = [broughtProgram("box", hostileServer("good"), { A: "b" })];
    const { status, notices, sessionId } = await scene.run([act("box")], { servers });
    const { tools } = await scene.context(sessionId);
    expect([status, notices, tools.filter(({ name }) => name.startsWith("mcp__")).length]).toEqual([
      "done",
      [],
      3,
    ]);
  });
});

test("a session that goes on without them says so to the model", async () => {
  using scene = new McpScene();
  const servers = [broughtProgram("box", hostileServer("good"))];
  const { sessionId } = await scene.run([], { servers, confirm: yes });
  const { status, outputs } = await scene.run([["mcp__box__act", {}]], { resume: sessionId });
  expect([status, outputs, await scene.reminders(sessionId, "mcp.changed")]).toEqual([
    "done",
    ["mcp__box__act is not offered any more. Find what there is with mcp_search."],
    [
      `<system-reminder type="mcp.changed">
Tools of MCP servers changed since this session began. mcp_search shows them, mcp_call calls them.
No longer offered: mcp__box__echo, mcp__box__act, mcp__box__count
</system-reminder>`,
    ],
  ]);
});
