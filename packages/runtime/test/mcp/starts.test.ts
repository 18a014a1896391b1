import { expect, test } from "bun:test";
import type { McpServerConfig } from "@codelia/shared-types";
import { processesNaming } from "../../../../test/support/processes.ts";
import { createConnector } from "../../src/mcp/connector.ts";
import { configuredServers } from "../../src/mcp/index.ts";
import { openProject } from "../../src/project/index.ts";
import { hostileServer, McpScene, packagedServer, uniqueWord } from "./mcp-scene.ts";

// `npm run test:mcp-starts` does 298.
const count = Number(process.env.CODELIA_MCP_STARTS ?? 8);
const atOnce = 4;

test(`no process is left behind after ${count} starts of servers that end well, late, badly or not at all`, async () => {
  const word = uniqueWord();
  const kinds: Record<string, McpServerConfig> = {
    good: hostileServer("good", word),
    everything: packagedServer("server-everything", "stdio", word),
    silent: { ...hostileServer("silent", word), startTimeoutSeconds: 0.5 },
    dying: hostileServer("die-at-start", word),
    leaving: hostileServer("leave-a-child", "1000", word),
    unheld: { ...hostileServer("leave-a-child", "1000", word), sandbox: "off" },
  };
  using scene = new McpScene();
  scene.configure(kinds);
  const project = await openProject(scene.environment(), { settings: [], trust: true }, scene.cwd);
  const servers = configuredServers(project);
  const { connect, dispose } = createConnector(scene.environment(), project);
  const outcomes = new Map<string, Set<string>>();
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const server = servers[next % servers.length];
      next += 1;
      if (server === undefined) return;
      const outcome = await connect(server).then(
        async (connection) => {
          const [tool] = (await connection.offer(() => true)).tools;
          const isLeaving = server.name === "leaving" || server.name === "unheld";
          if (isLeaving && tool !== undefined) await connection.call(tool, {}, new AbortController().signal);
          await connection.close();
          return "closed";
        },
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      outcomes.set(server.name, (outcomes.get(server.name) ?? new Set()).add(outcome));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  await dispose();
  expect([
    Object.fromEntries([...outcomes].map(([name, seen]) => [name, [...seen]])),
    processesNaming(word),
  ]).toEqual([
    {
      dying: ["MCP server dying: it ended with exit code 3; its last words: cannot start"],
      everything: ["closed"],
      good: ["closed"],
      leaving: ["closed"],
      silent: ["MCP server silent: it did not answer within 0.5 s after its start"],
      unheld: ["closed"],
    },
    [],
  ]);
});
