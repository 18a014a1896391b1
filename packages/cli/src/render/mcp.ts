// `codelia mcp` for people.
import type { McpServerWire, Params, Result } from "@codelia/protocol";
import { visibleName, visibleText } from "@codelia/shared-types";
import { columns, indented, oneLine, plural } from "./table.ts";

const maxLaunch = 60;

export function renderMcpServers({ servers }: Result<"mcp.list">): string {
  if (servers.length === 0)
    return "No MCP server is configured. Add one with: codelia mcp add NAME -- COMMAND\n";
  const rows = servers.map((server) => [
    server.name,
    server.scope,
    stateWords(server),
    server.tools === undefined ? "" : plural(server.tools, "tool"),
    oneLine(server.launch, maxLaunch),
  ]);
  const reasons = servers.flatMap(({ name, state, reason = "" }) =>
    ["unapproved", "changed", "unusable"].includes(state)
      ? [`${name}: ${visibleText(reason)}.${wayOut(name, state)}`]
      : [],
  );
  const lines = columns([["name", "scope", "state", "offers", "command or address"], ...rows]);
  return `${[...lines, ...(reasons.length === 0 ? [] : ["", ...reasons])].join("\n")}\n`;
}

function stateWords({ state, logged_in: loggedIn }: McpServerWire): string {
  return loggedIn === true ? `${state}, logged in` : state;
}

function wayOut(name: string, state: McpServerWire["state"]): string {
  return state === "unusable" ? "" : ` Approve it with: codelia mcp approve ${name}`;
}

export function renderMcpTest(result: Result<"mcp.test">): string {
  const { server, duration_ms: duration, tools, resources, prompts, change } = result;
  return [
    `${server.name} answers after ${duration} ms: ${plural(tools.length, "tool")}, ${plural(resources.length, "resource")}, ${plural(prompts.length, "prompt")}.`,
    ...toolLines(tools),
    ...(change === undefined
      ? []
      : [
          "",
          `Not as approved: ${visibleText(change)}`,
          `Approve it with: codelia mcp approve ${server.name}`,
        ]),
    "",
  ].join("\n");
}

export function renderMcpApproval(
  { server, tools }: Result<"mcp.approve">,
  { name, revoke }: Pick<Params<"mcp.approve">, "name" | "revoke">,
): string {
  if (revoke || server === undefined) return `${visibleName(name)} is no longer approved.\n`;
  return [
    `Approved ${server.name} with ${plural(tools.length, "tool")}: ${oneLine(server.launch)}`,
    ...indented(server.grants.map((grant) => `it ${visibleText(grant)}`)),
    ...toolLines(tools),
    "",
  ].join("\n");
}

function toolLines(tools: Result<"mcp.test">["tools"]): string[] {
  return indented(
    columns(tools.map((tool) => [visibleName(tool.offered_as), oneLine(tool.description, 80)])),
  );
}
