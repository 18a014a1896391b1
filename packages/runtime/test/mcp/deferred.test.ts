import { describe, expect, test } from "bun:test";
import { hostileServer, McpScene, yes } from "./mcp-scene.ts";

function toolsFile(...tools: { name: string; description: string }[]): string {
  return JSON.stringify(tools.map((tool) => ({ ...tool, inputSchema: { type: "object", properties: {} } })));
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

describe("the tools of servers in a session's fixed start", () => {
  test("300 tools make the first request at most 2 KB larger, and are found by a search", async () => {
    using scene = new McpScene();
    const none = await scene.run([]);
    scene.configure({ archive: hostileServer("many", "300") });
    const { sessionId, outputs } = await scene.run(
      [
        ["mcp_search", { query: "number 217", limit: 1 }],
        ["mcp_call", { server: "archive", tool: "operation_217", arguments: { record: "7" } }],
      ],
      { confirm: yes, window: 1_000_000 },
    );
    const growth =
      bytesOf((await scene.context(sessionId)).tools) - bytesOf((await scene.context(none.sessionId)).tools);
    expect([growth > 0 && growth <= 2048, outputs]).toEqual([
      true,
      [
        `{"count":300,"servers":[{"name":"archive","tools":300}]}\n${JSON.stringify({
          server: "archive",
          tool: "operation_217",
          description: "Does the operation number 217 on a record of the archive.",
          arguments: {
            type: "object",
            properties: { record: { type: "string", description: "The record's number" } },
          },
        })}\n`,
        '{"record":"7"}',
      ],
    ]);
  });

  test.each([
    ["less than 5 % of the window", 200_000, 12],
    ["more", 4_000, 2],
  ])("ten tools that take %s", async (_, window, expected) => {
    using scene = new McpScene();
    scene.configure({ archive: hostileServer("many", "10") });
    const { sessionId } = await scene.run([], { confirm: yes, window });
    const names = (await scene.context(sessionId)).tools.map(({ name }) => name);
    expect(names.filter((name) => name.startsWith("mcp")).length).toBe(expected);
  });

  test("a session without servers is told of none", async () => {
    using scene = new McpScene();
    scene.configure({ archive: { ...hostileServer("many"), enabled: false } });
    const { sessionId, notices } = await scene.run([]);
    const names = (await scene.context(sessionId)).tools.map(({ name }) => name);
    expect([names.filter((name) => name.startsWith("mcp")), notices]).toEqual([[], []]);
  });

  test("stay as they were when a session is resumed; what changed is told once, at its end", async () => {
    using scene = new McpScene({
      "repo/tools.json": toolsFile({ name: "old", description: "old" }, { name: "both", description: "one" }),
    });
    scene.configure({ box: hostileServer("from-file", "tools.json") });
    await scene.approve("box");
    const first = await scene.run([]);
    const before = await scene.context(first.sessionId);
    scene.tree.add({
      "repo/tools.json": toolsFile({ name: "both", description: "two" }, { name: "new", description: "new" }),
    });
    await scene.approve("box");
    const second = await scene.run(
      [
        ["mcp__box__old", {}],
        ["mcp_call", { server: "box", tool: "new", arguments: { a: 1 } }],
      ],
      { resume: first.sessionId },
    );
    await scene.run([], { resume: first.sessionId });
    expect([
      second.outputs,
      await scene.context(first.sessionId),
      await scene.reminders(first.sessionId, "mcp.changed"),
    ]).toEqual([
      ["mcp__box__old is not offered any more. Find what there is with mcp_search.", '{"a":1}'],
      before,
      [
        [
          '<system-reminder type="mcp.changed">',
          "Tools of MCP servers changed since this session began. mcp_search shows them, mcp_call calls them.",
          "No longer offered: mcp__box__old",
          "Changed, look them up before you call them: mcp__box__both",
          "New: mcp__box__new",
          "</system-reminder>",
        ].join("\n"),
      ],
    ]);
  });

  test("a session that began without servers says that it cannot use those that came later", async () => {
    using scene = new McpScene();
    const { sessionId } = await scene.run([]);
    scene.configure({ box: hostileServer("good") });
    const { notices, status } = await scene.run([], { resume: sessionId, confirm: yes });
    expect([notices, status]).toEqual([
      ["MCP servers are not used in this session, which began without them. Start a new one to use them."],
      "done",
    ]);
  });
});
