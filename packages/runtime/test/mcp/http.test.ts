import { describe, expect, test } from "bun:test";
import {
  createMcpHandler,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { McpScene, yes } from "./mcp-scene.ts";

/** The SDK's own server, on loopback. */
function sdkServer(events: string[] = []): McpServer {
  const server = new McpServer({ name: "loopback", version: "1.0.0" });
  const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });
  server.registerTool(
    "greet",
    { description: "greets", inputSchema: z.object({ name: z.string() }) },
    ({ name }) => text(`Hello, ${name}!`),
  );
  server.registerTool("wait", { description: "waits until it is cancelled" }, async (context) => {
    events.push("waiting");
    const { signal } = context.mcpReq;
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
    events.push("cancelled");
    return text("never seen");
  });
  server.registerTool("large", { description: "says much" }, () => text("x".repeat(20 * 1024 * 1024)));
  return server;
}

/** Sessions as servers of the older revisions keep them: a server that starts anew knows none. */
function statefulHandler(): (request: Request) => Promise<Response> {
  const transports = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return async (request) => {
    const known = transports.get(request.headers.get("mcp-session-id") ?? "");
    if (known !== undefined) return known.handleRequest(request);
    if (request.headers.has("mcp-session-id")) return new Response("Session not found", { status: 404 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void transports.set(id, transport),
    });
    await sdkServer().connect(transport);
    return transport.handleRequest(request);
  };
}

describe("over Streamable HTTP with the SDK's own server", () => {
  test("initialise, call, and cancel in the middle, which the server hears of", async () => {
    const events: string[] = [];
    const handler = createMcpHandler(() => sdkServer(events));
    await using http = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => handler.fetch(request),
    });
    using scene = new McpScene();
    scene.configure({ web: { url: `http://127.0.0.1:${http.port}/mcp` } });
    const calls = [
      ["mcp__web__greet", { name: "Ada" }],
      ["mcp__web__wait", {}],
    ] as const;
    const run = await scene.run(calls, {
      confirm: yes,
      onEvent: (event, cancel) => {
        if (event.type !== "tool.started" || event.tool !== "mcp__web__wait") return;
        void until(() => events.includes("waiting")).then(cancel);
      },
    });
    await until(() => events.includes("cancelled"));
    expect([run.status, run.outputs, events]).toEqual([
      "interrupted",
      ["Hello, Ada!", "Interrupted by the user before it ended."],
      ["waiting", "cancelled"],
    ]);
  });

  test("a server that was started anew is greeted again", async () => {
    let handle = statefulHandler();
    await using http = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => handle(request) });
    using scene = new McpScene();
    scene.configure({ web: { url: `http://127.0.0.1:${http.port}/mcp` } });
    const greet = ["mcp__web__greet", { name: "Ada" }] as const;
    const { status, outputs } = await scene.run([greet, greet, greet], {
      confirm: yes,
      onEvent: (event) => {
        if (event.type === "tool.finished" && event.call_id === "call_1_1") handle = statefulHandler();
      },
    });
    const [first, lost = "", third] = outputs;
    expect([
      status,
      first,
      lost.startsWith("MCP server web: "),
      /Session not found|404/.test(lost),
      third,
    ]).toEqual(["done", "Hello, Ada!", true, true, "Hello, Ada!"]);
  });

  test("a token from the environment is sent, and never shown; without it the server is named", async () => {
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: "loopback", version: "1.0.0" });
      server.registerTool("tell", { description: "tells the token" }, (context) => ({
        content: [{ type: "text", text: `you sent ${context.http?.req?.headers.get("authorization")}` }],
      }));
      return server;
    });
    await using http = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) =>
        request.headers.get("authorization") === "Bearer token-of-the-user"
          ? handler.fetch(request)
          : new Response("who are you?", { status: 401 }),
    });
    const servers = { web: { url: `http://127.0.0.1:${http.port}/mcp`, bearerTokenEnv: "WEB_PASS" } };
    using knowing = new McpScene({}, { WEB_PASS: "token-of-the-user" });
    knowing.configure(servers);
    const told = await knowing.run([["mcp__web__tell", {}]], { confirm: yes });
    using without = new McpScene();
    without.configure(servers);
    const missing = await without.run([], { confirm: yes });
    expect([told.outputs, missing.notices]).toEqual([
      ["you sent Bearer [redacted: WEB_PASS]"],
      [
        "MCP server web: the variable WEB_PASS is not set. Set it to the server's token. The session goes on without it.",
      ],
    ]);
  });

  test("an answer without end and one that is too large are cut off, and the session goes on", async () => {
    const handler = createMcpHandler(() => sdkServer());
    const endless = new TextEncoder().encode(`data: ${"x".repeat(1000)}\n\n`);
    let isEndless = false;
    await using http = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => {
        if (!isEndless) return handler.fetch(request);
        const body = new ReadableStream({ pull: (controller) => controller.enqueue(endless) });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      },
    });
    using scene = new McpScene();
    scene.configure({ web: { url: `http://127.0.0.1:${http.port}/mcp` } });
    const calls = [
      ["mcp__web__large", {}],
      ["mcp__web__greet", { name: "Ada" }],
      ["mcp__web__greet", { name: "Bob" }],
    ] as const;
    const { status, outputs } = await scene.run(calls, {
      confirm: yes,
      onEvent: (event) => {
        if (event.type === "tool.finished" && event.call_id === "call_2_1") isEndless = true;
      },
    });
    expect([status, outputs.map((output) => output.slice(0, 80))]).toEqual([
      "done",
      [
        "MCP server web: the connection was closed: it sent an answer of more than 167772",
        "Hello, Ada!",
        "MCP server web: the connection was closed: it sent more than 5000 messages that ",
      ],
    ]);
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await Bun.sleep(5);
}
