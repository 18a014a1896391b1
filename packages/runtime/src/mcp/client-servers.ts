// Servers that the client of a run brings, such as an editor's: named as ours are, and held to the same rules.
import type { ClientServer } from "@codelia/protocol";
import {
  McpHttpServerSchema,
  type McpServerConfig,
  McpStdioServerSchema,
  visibleName,
} from "@codelia/shared-types";
import type { Project } from "../project/index.ts";
import { type ConfiguredServer, configuredServers, programFault } from "./configured-server.ts";

export interface ClientServers {
  readonly servers: readonly ConfiguredServer[];
  /** What the user should know about their names. */
  readonly notices: readonly string[];
}

const maxName = 32;

/**
 * @output the servers in their order, under names that no configured server and none before has. One that the settings
 *         have under the same name, with the same command or address, is theirs: their word about it holds.
 */
export function clientServers(
  given: readonly ClientServer[],
  project: Pick<Project, "settings" | "trust">,
): ClientServers {
  const configured = configuredServers(project);
  const taken = new Set(configured.map(({ name }) => name));
  const servers: ConfiguredServer[] = [];
  const notices: string[] = [];
  for (const server of given) {
    const config = configOf(server, project.settings.values.mcp.clientNetwork);
    const wanted = plainName(server.name);
    const same = configured.find(({ name }) => name === wanted);
    if (same !== undefined && isSame(same.config, config)) continue;
    const name = freeName(wanted, taken);
    taken.add(name);
    if (name !== wanted)
      notices.push(
        `The MCP server ${visibleName(server.name)} is called ${name} in this session: ${wanted} is another one.`,
      );
    servers.push({ name, scope: "client", owner: clientOwner(project), config, fault: faultOf(config) });
  }
  return { servers, notices };
}

/** By project: an editor may take its servers from a project's files, and `node server.js` is another program in each. */
export function clientOwner({ trust }: Pick<Project, "trust">): string {
  return `client of ${trust.identity}`;
}

function configOf(server: ClientServer, network: readonly string[]): McpServerConfig {
  if ("url" in server) return { url: server.url, headers: server.headers };
  const { command, args, env } = server;
  return { command, args, env, network: [...network] };
}

function isSame(one: McpServerConfig, other: McpServerConfig): boolean {
  return launchWords(one) === launchWords(other);
}

function launchWords(config: McpServerConfig): string {
  return JSON.stringify("url" in config ? [config.url] : [config.command, ...(config.args ?? [])]);
}

/** Names the field alone: values are secrets. */
function faultOf(config: McpServerConfig): string | undefined {
  const isAddress = "url" in config;
  const [issue] =
    (isAddress ? McpHttpServerSchema : McpStdioServerSchema).safeParse(config).error?.issues ?? [];
  if (issue !== undefined) {
    const problem =
      issue.code === "invalid_key" ? (issue.issues[0]?.message ?? issue.message) : issue.message;
    return `${issue.path.map((part) => visibleName(String(part))).join(".")}: ${problem}`;
  }
  return isAddress ? undefined : programFault(config);
}

/** As names of servers are: `My Server` is my-server. */
function plainName(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, maxName)
    .replaceAll(/^-|-$/g, "");
  return plain === "" ? "server" : plain;
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) {
    const end = `-${count}`;
    name = `${wanted.slice(0, maxName - end.length).replace(/-$/, "")}${end}`;
  }
  return name;
}
