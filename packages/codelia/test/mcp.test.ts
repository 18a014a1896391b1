import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { codelia, pathToRepository, repository } from "../../../test/support/codelia.ts";
import { inTerminal } from "../../../test/support/terminal.ts";
import { TemporaryTree } from "../../../test/support/tree.ts";

const server = [
  process.execPath,
  resolve(repository, "packages/runtime/test/mcp/servers/hostile-server.ts"),
  "good",
];

const env = { PATH: pathToRepository };

function desk(): TemporaryTree {
  return new TemporaryTree({ "home/": "", "repo/.codelia/": "" });
}

function on(tree: TemporaryTree, ...args: string[]) {
  return codelia(["mcp", ...args], { cwd: tree.at("repo"), home: tree.at("home"), env });
}

describe("codelia mcp", () => {
  test("add refuses what could never be used, with the reason, and says when another server is replaced", async () => {
    using tree = desk();
    const refused: [string[], string][] = [
      [[], "say what to call the server, then how it is started"],
      [["a", "--", "./server"], "a: command is neither a name nor an absolute path; write one of them"],
      [["a", "ftp://example.org"], "url: expected an http or https address"],
      [
        ["a", "https://me:secret@example.org/mcp"],
        "url: expected an address without a name and a password; use bearerTokenEnv or headers",
      ],
      [
        ["a", "--project", "--env", "GITHUB_TOKEN=x", "--", "server"],
        "a: a project's file may not hold the secret GITHUB_TOKEN: name the variable in passEnv",
      ],
    ];
    for (const [args, problem] of refused) {
      const { code, stderr } = await on(tree, "add", ...args, "--trust");
      expect([args, code === 0, stderr.split("\n")[0]]).toEqual([args, false, `codelia: ${problem}`]);
    }
    expect(existsSync(tree.at("home/.codelia/config.json"))).toBe(false);
    await on(tree, "add", "a", "--", "one");
    const { stdout } = await on(tree, "add", "a", "--", "two");
    expect(stdout.split("\n")[0]).toBe(`Replaced a in ${tree.at("home/.codelia/config.json")}`);
  });

  test("adds, lists, tests, approves and removes a server; the user's other settings stay as they are", async () => {
    using tree = desk();
    tree.add({ "home/.codelia/config.json": '{\n  "context": { "compactAt": 0.9 }\n}\n' });
    const added = await on(tree, "add", "box", "--pass-env", "BOX_TOKEN", "--env", "A=b=c", "--", ...server);
    const config: unknown = JSON.parse(readFileSync(tree.at("home/.codelia/config.json"), "utf8"));
    const listed = await on(tree, "list", "--json", "--trust");
    const tested = await on(tree, "test", "box", "--trust");
    const approved = await on(tree, "approve", "box", "--trust");
    const after = await on(tree, "list", "--trust");
    const removed = await on(tree, "remove", "box", "--trust");
    expect([added.code, added.stdout]).toEqual([
      0,
      `Added box to ${tree.at("home/.codelia/config.json")}\nIt is used once you approve it: codelia mcp approve box\n`,
    ]);
    const [command = "", ...args] = server;
    expect(config).toEqual({
      context: { compactAt: 0.9 },
      mcp: { servers: { box: { command, args, env: { A: "b=c" }, passEnv: ["BOX_TOKEN"] } } },
    });
    expect(JSON.parse(listed.stdout)).toEqual({
      servers: [
        {
          name: "box",
          scope: "user",
          transport: "stdio",
          launch: server.join(" "),
          grants: [`runs in ${tree.at("repo")}`, "gets A=b=c", "gets your variable BOX_TOKEN"],
          state: "unapproved",
          reason: "it was not approved yet",
        },
      ],
      notices: [],
    });
    expect([tested.code, tested.stdout.replace(/after \d+ ms/, "after N ms")]).toEqual([
      0,
      [
        "box answers after N ms: 3 tools, 0 resources, 0 prompts.",
        "  mcp__box__echo   says it again",
        "  mcp__box__act    does act",
        "  mcp__box__count  does count",
        "",
      ].join("\n"),
    ]);
    expect([approved.code, approved.stdout.split("\n")[0]]).toEqual([
      0,
      `Approved box with 3 tools: ${server.join(" ")}`,
    ]);
    expect(after.stdout.split("\n")[1]).toMatch(/^box {3}user {3}approved {2}3 tools {2}/);
    expect([removed.code, readFileSync(tree.at("home/.codelia/config.json"), "utf8")]).toEqual([
      0,
      '{\n  "context": { "compactAt": 0.9 },\n  "mcp": { "servers": {} }\n}\n',
    ]);
  });

  test.each<[readonly string[], number, string]>([
    [["bogus"], 2, "unknown command 'mcp bogus'"],
    [["add"], 2, "say what to call the server"],
    [["add", "Bad_Name", "--", "x"], 2, "expected at most 32 lower-case letters"],
    [["add", "box", "https://example.org", "--env", "A=b"], 2, "are for programs"],
    [["add", "box", "http://example.org"], 2, "url: expected https://"],
    [["add", "box", "--network", "Example.org", "--", "x"], 2, "network.0: expected a host"],
    [["test", "nothing", "--trust"], 1, "there is no MCP server nothing"],
  ])("%j ends with %d and says why", async (args, code, words) => {
    using tree = desk();
    const result = await on(tree, ...args);
    expect([result.code, result.stderr.includes(words), result.stderr]).toEqual([code, true, result.stderr]);
  });

  test("in a terminal the user sees what is approved, and can say no", async () => {
    using tree = desk();
    await on(tree, "add", "box", "--", ...server);
    const place = { cwd: tree.at("repo"), home: tree.at("home"), env, prompt: "or say why not: " };
    const args = ["mcp", "approve", "box", "--trust"];
    const refused = await inTerminal(args, { ...place, answers: ["y", "n"] });
    const approved = await inTerminal(args, { ...place, answers: ["y", "a"] });
    expect([
      refused.code,
      refused.screen.includes("- act: does act"),
      refused.screen.includes("it was not approved; nothing was changed"),
      approved.code,
      approved.screen.includes("Approved box with 3 tools"),
    ]).toEqual([3, true, true, 0, true]);
  });
});
