// The editor's own MCP servers: the official SDK's client brings server-everything, over stdio and over HTTP.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type McpServer, methods, type RequestPermissionRequest } from "@agentclientprotocol/sdk";
import { createMcpHandler, McpServer as SdkServer } from "@modelcontextprotocol/server";
import { repository } from "../../../test/support/codelia.ts";
import { choose, type Editor, EditorDesk } from "./editor-desk.ts";

const script = join(repository, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
const everything: McpServer = {
  name: "Everything",
  command: process.execPath,
  args: [script, "stdio"],
  env: [{ name: "GIVEN_TOKEN", value: "abcdef-0123456789" }],
};

const call = (name: string, args: unknown) => ({ tool_calls: [{ name, arguments: args }] });
const echo = call("mcp__everything__echo", { message: "hello" });

async function open(editor: Editor, cwd: string, mcpServers: McpServer[]): Promise<string> {
  const { sessionId } = await editor.agent.request(methods.agent.session.new, { cwd, mcpServers });
  return sessionId;
}

function outputs(editor: Editor): string[] {
  return editor
    .calls()
    .flatMap(({ status, content = [] }) => (status === "completed" ? (content ?? []) : []))
    .flatMap((part) => (part.type === "content" && part.content.type === "text" ? [part.content.text] : []));
}

describe("a program of the editor", () => {
  test("is approved once in a session, and used by its prompts", async () => {
    await using desk = new EditorDesk();
    await desk.trust();
    const turns = [echo, { text: "Once." }];
    const editor = await desk.editor({
      args: ["-m", desk.script(turns), "--approval", "full"],
      answer: choose("allow_once"),
    });
    const sessionId = await open(editor, desk.repo, [everything]);
    const first = await editor.prompt(sessionId, "say hello");
    const second = await editor.prompt(sessionId, "again");
    expect([
      first.stopReason,
      second.stopReason,
      outputs(editor),
      editor.questions.map(({ toolCall }) => toolCall.title),
      editor
        .calls()
        .filter(({ toolCallId }) => toolCallId === "mcp-everything")
        .map(({ status }) => status),
    ]).toEqual([
      "end_turn",
      "end_turn",
      ["```\nEcho: hello\n```", "```\nEcho: hello\n```"],
      ["start the MCP server everything", "use the tools of the MCP server everything"],
      ["pending", "completed", "completed"],
    ]);
  });

  test("is used by a session that another process loads, where it was approved for always", async () => {
    await using desk = new EditorDesk();
    await desk.trust();
    const first = await desk.editor({
      args: ["-m", desk.script([{ text: "Ready." }]), "--approval", "full"],
      answer: choose("allow_always"),
    });
    const sessionId = await open(first, desk.repo, [everything]);
    await first.prompt(sessionId, "be ready");
    await first.leave();
    const args = ["-m", desk.script([echo, { text: "Said." }], "again.json"), "--approval", "full"];
    const second = await desk.editor({ args });
    const opened = { sessionId, cwd: desk.repo, mcpServers: [everything] };
    await second.agent.request(methods.agent.session.load, opened);
    await second.prompt(sessionId, "say hello");
    const third = await desk.editor({ args });
    await third.agent.request(methods.agent.session.resume, opened);
    await third.prompt(sessionId, "say hello");
    expect([outputs(second), outputs(third), second.questions, third.questions]).toEqual([
      ["```\nEcho: hello\n```"],
      ["```\nEcho: hello\n```"],
      [],
      [],
    ]);
  });

  test("that is refused is not asked about again in the session, and one prompt that was cancelled is no refusal", async () => {
    await using desk = new EditorDesk();
    await desk.trust();
    const asked: RequestPermissionRequest[] = [];
    const cancelled = Promise.withResolvers<void>();
    const editor = await desk.editor({
      args: ["-m", desk.script([{ text: "Hello." }])],
      answer: (question) => {
        asked.push(question);
        if (asked.length > 1) return { outcome: { outcome: "selected", optionId: "deny" } };
        cancelled.resolve();
        // As an editor does that never answers.
        return new Promise(() => undefined);
      },
    });
    const sessionId = await open(editor, desk.repo, [everything]);
    const first = editor.prompt(sessionId, "one");
    await cancelled.promise;
    await editor.agent.notify(methods.agent.session.cancel, { sessionId });
    const stops = [(await first).stopReason];
    for (const text of ["two", "three"]) stops.push((await editor.prompt(sessionId, text)).stopReason);
    const said = editor.text("agent_thought_chunk");
    expect([stops, asked.length, said.split("you did not want it to be started").length - 1]).toEqual([
      ["cancelled", "end_turn", "end_turn"],
      2,
      1,
    ]);
  });
});

test("a server on the network gets its headers, one that speaks sse is refused in words, and an address that sends elsewhere too", async () => {
  const seen: (string | null)[] = [];
  const handler = createMcpHandler(() => {
    const server = new SdkServer({ name: "loopback", version: "1.0.0" });
    server.registerTool("greet", { description: "greets" }, () => ({
      content: [{ type: "text", text: `Hello with ${seen.at(-1)}` }],
    }));
    return server;
  });
  const strays: (string | null)[] = [];
  await using elsewhere = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ headers }) => {
      strays.push(headers.get("x-api-key"));
      return new Response("no", { status: 404 });
    },
  });
  await using web = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/moved") return Response.redirect("/mcp", 308);
      if (pathname === "/away") return Response.redirect(`http://127.0.0.1:${elsewhere.port}/mcp`, 307);
      seen.push(request.headers.get("x-api-key"));
      return handler.fetch(request);
    },
  });
  await using desk = new EditorDesk();
  await desk.trust();
  const turns = [call("mcp__web__greet", {}), { text: "Done." }];
  const editor = await desk.editor({
    args: ["-m", desk.script(turns), "--approval", "full"],
    answer: choose("allow_once"),
    capabilities: { session: { notices: {} } },
  });
  const headers = [{ name: "X-Api-Key", value: "abcdef-0123456789" }];
  const address = (path: string) => `http://127.0.0.1:${web.port}${path}`;
  const sessionId = await open(editor, desk.repo, [
    { type: "http", name: "web", url: address("/moved"), headers },
    { type: "http", name: "away", url: address("/away"), headers },
    { type: "sse", name: "old", url: address("/sse"), headers },
  ]);
  await editor.prompt(sessionId, "greet");
  const notices = editor.updates.flatMap((update) =>
    "title" in update && update.sessionUpdate === "notice" ? [update.title] : [],
  );
  expect([outputs(editor), [...new Set(seen)], strays, notices]).toEqual([
    ["```\nHello with [redacted: X-Api-Key of MCP server web]\n```"],
    ["abcdef-0123456789"],
    [],
    [
      "The MCP server old is not used: it speaks sse, and Codelia knows stdio and Streamable HTTP (http).",
      `MCP server away: Version negotiation probe failed: it sends to another address, which was not approved: http://127.0.0.1:${elsewhere.port}. The session goes on without it.`,
    ],
  ]);
});
