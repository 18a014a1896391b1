// The tools through which a model reaches MCP servers: each of theirs by its own name, and two that find and call any.
import {
  type OutputWriter,
  type PreparedCall,
  type Tool,
  ToolError,
  type ToolExecution,
} from "@codelia/core";
import type { ToolDefinition } from "@codelia/shared-types";
import { pipedText, visibleName } from "@codelia/shared-types";
import { z } from "zod";
import { redactText, withoutSecrets } from "../secrets/index.ts";
import { directoryOf, isStdio, sha256 } from "./configured-server.ts";
import type { Connection, Listed } from "./connection.ts";
import { McpError } from "./error.ts";
import { definitionOf } from "./offered-tools.ts";
import { pathArguments } from "./path-arguments.ts";
import { shownImages } from "./result-images.ts";
import { partsText, resourceText } from "./result-text.ts";
import { searchTools } from "./search.ts";
import type { SessionServer } from "./session-server.ts";
import type { OfferedTool, SessionServers } from "./session-servers.ts";

const anyArguments = z.record(z.string(), z.unknown());
const defaultFound = 8;
const maxFound = 50;
const maxCall = 16 * 1024;

/** More definitions than these are searched even where the window would hold them: every request carries them. */
const maxDirect = 64;
// An estimate that holds for JSON.
const bytesPerToken = 4;
const unknownWindow = 128_000;

/** @output the definitions that a session starts with; empty: the tools are found by mcp_search */
export function directDefinitions(
  servers: SessionServers,
  { window = unknownWindow, share }: { readonly window: number | undefined; readonly share: number },
): ToolDefinition[] {
  const { tools } = servers;
  if (tools.length > maxDirect) return [];
  const definitions = tools.map(({ server, tool }) => definitionOf(server.name, tool));
  const tokens = Buffer.byteLength(JSON.stringify(definitions)) / bytesPerToken;
  return tokens > window * share ? [] : definitions;
}

/** One tool of a server under the name that it was offered by. */
export function createDirectTool(servers: SessionServers, name: string, root: string): Tool {
  return {
    name,
    description: "",
    parameters: anyArguments,
    prepare: async (args) => toolCall(toolNamed(servers, name), anyArguments.parse(args), root),
  };
}

function toolNamed(servers: SessionServers, name: string): OfferedTool {
  const found = servers.tools.find((offered) => offered.name === name);
  if (found !== undefined) return found;
  throw new ToolError(`${visibleName(name)} is not offered any more. Find what there is with mcp_search.`);
}

const searchParameters = z.strictObject({
  query: z.string().max(4096).optional().describe("words; none: all"),
  server: z.string().optional(),
  kind: z.enum(["tools", "resources", "prompts"]).optional().describe("of one server, for other than tools"),
  limit: z.int().min(1).max(maxFound).optional(),
});

export function createSearchTool(servers: SessionServers): Tool<z.infer<typeof searchParameters>> {
  return {
    name: "mcp_search",
    description:
      "Find tools of MCP servers, with the schemas of their arguments; their resources; their prompts.",
    parameters: searchParameters,
    async prepare({ query = "", server: named, kind = "tools", limit = defaultFound }) {
      const title = `mcp_search ${visibleName(query || named || kind)}`;
      const server = named === undefined ? undefined : serverNamed(servers, named);
      if (kind === "tools") {
        const execute = ({ output }: ToolExecution) =>
          output.write(foundTools(servers, server, query, limit));
        return { title, paths: [], access: { kind: "none" }, execute };
      }
      if (server === undefined) throw new ToolError(`Name the server whose ${kind} to list.`);
      return onServer(
        server,
        { title, tool: "mcp_search", call: { kind } },
        async (connection, { output }) => {
          const listed = await (kind === "resources" ? connection.resources() : connection.prompts());
          await output.write(foundEntries(listed, query, limit));
        },
      );
    },
  };
}

function foundTools(
  servers: SessionServers,
  server: SessionServer | undefined,
  query: string,
  limit: number,
): string {
  const among = servers.tools.filter((offered) => server === undefined || offered.server === server);
  const found = searchTools(among, query);
  const summary = {
    count: found.length,
    servers: servers.all.map(({ name, tools, isApproved }) => ({
      name,
      ...(isApproved ? { tools: tools.length } : { used: false }),
    })),
    ...(server?.instructions === undefined ? {} : { instructions: server.instructions }),
  };
  const lines = found.slice(0, limit).map(({ server: { name }, tool }) => ({
    server: name,
    tool: tool.name,
    description: tool.description,
    arguments: tool.inputSchema,
  }));
  return [summary, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
}

function foundEntries(listed: readonly Listed[], query: string, limit: number): string {
  const wanted = query.toLowerCase();
  const found = listed.filter((entry) => JSON.stringify(entry).toLowerCase().includes(wanted));
  return [{ count: found.length }, ...found.slice(0, limit)]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}

const callParameters = z.strictObject({
  server: z.string(),
  tool: z.string().optional(),
  resource: z.string().max(8192).optional().describe("its uri"),
  prompt: z.string().optional(),
  arguments: anyArguments.optional().describe("of the tool or the prompt"),
});

export function createCallTool(servers: SessionServers, root: string): Tool<z.infer<typeof callParameters>> {
  return {
    name: "mcp_call",
    description:
      "Call a tool of an MCP server, read a resource of it, or get a prompt: give one of the three.",
    parameters: callParameters,
    async prepare({ server: named, tool, resource, prompt, arguments: args = {} }) {
      if ([tool, resource, prompt].filter((one) => one !== undefined).length !== 1)
        throw new ToolError("Give exactly one of tool, resource and prompt.");
      const server = serverNamed(servers, named);
      if (resource !== undefined) return resourceCall(server, resource);
      if (prompt !== undefined) return promptCall(server, prompt, args);
      const offered = servers.tools.find(
        (one) => one.server === server && (one.tool.name === tool || one.name === tool),
      );
      if (offered === undefined) {
        throw new ToolError(
          `MCP server ${server.name} has no tool ${visibleName(tool ?? "")}. Find what there is with mcp_search.`,
        );
      }
      return toolCall(offered, args, root);
    },
  };
}

function serverNamed(servers: SessionServers, name: string): SessionServer {
  const server = servers.find(name);
  if (server?.isApproved === true) return server;
  if (server !== undefined)
    throw new ToolError(`MCP server ${name} is not used in this session: it is not approved.`);
  const known = servers.all.map((each) => each.name).join(", ");
  const there = known === "" ? "There is none in this session." : `There are: ${known}.`;
  throw new ToolError(`There is no MCP server ${visibleName(name)}. ${there}`);
}

function toolCall(
  { server, tool, name }: OfferedTool,
  args: Record<string, unknown>,
  root: string,
): PreparedCall {
  // What a server on the network calls a path is none of this machine's.
  const paths = isStdio(server.server) ? pathArguments(tool, args, directoryOf(server.server, root)) : [];
  return onServer(
    server,
    { title: `${server.name}: ${tool.name}`, tool: name, call: args, paths },
    async (connection, { output, signal, presentImage }) => {
      const { parts, structured, isError } = await connection.call(tool, args, signal);
      const images = shownImages(isError ? [] : parts, `${server.name}: ${tool.name}`);
      const text = partsText(parts, structured, images);
      if (isError)
        throw new ToolError(text === "" ? `MCP server ${server.name}: ${tool.name} failed.` : text);
      for (const image of images.values()) presentImage(image);
      await output.write(text);
    },
  );
}

function resourceCall(server: SessionServer, uri: string): PreparedCall {
  const title = `${server.name}: read ${visibleName(uri)}`;
  return onServer(
    server,
    { title, tool: "mcp_resource", call: { uri } },
    async (connection, { output, signal }) => {
      for (const content of await connection.readResource(uri, signal))
        await output.write(`${resourceText(content)}\n`);
    },
  );
}

function promptCall(server: SessionServer, prompt: string, args: Record<string, unknown>): PreparedCall {
  const title = `${server.name}: prompt ${visibleName(prompt)}`;
  const texts = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, argumentText(value)]));
  return onServer(
    server,
    { title, tool: "mcp_prompt", call: { prompt, ...texts } },
    async (connection, { output, signal }) => {
      for (const { role, part } of await connection.getPrompt(prompt, texts, signal))
        await output.write(`${role}: ${partsText([part], undefined)}\n`);
    },
  );
}

/** Arguments of prompts are texts. */
function argumentText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Calls that differ have different texts: "the same again" means the very same. */
function shownCall(text: string): string {
  return text.length <= maxCall ? text : `${text.slice(0, maxCall)}… (sha256 ${sha256(text)})`;
}

/** A server that was logged in to knows its token, and may say it. Each text is written in one piece. */
function redactedOutput(output: OutputWriter, server: SessionServer): OutputWriter {
  return {
    write: async (chunk) =>
      output.write(typeof chunk === "string" ? redactText(await server.secrets(), chunk) : chunk),
  };
}

interface ServerCall {
  readonly title: string;
  /** As rules know it. */
  readonly tool: string;
  readonly call: Readonly<Record<string, unknown>>;
  readonly paths?: readonly string[];
}

function onServer(
  server: SessionServer,
  { title, tool, call, paths = [] }: ServerCall,
  execute: (connection: Connection, execution: ToolExecution) => Promise<void>,
): PreparedCall {
  const text = JSON.stringify(call);
  return {
    title,
    paths,
    access: {
      kind: "mcp",
      server: server.name,
      tool,
      paths,
      call: shownCall(text),
    },
    async execute(given) {
      const execution = { ...given, output: redactedOutput(given.output, server) };
      const news = server.takeNews();
      if (news !== undefined) await execution.output.write(`[${news}]\n`);
      try {
        await server.use((connection) => execute(connection, execution));
      } catch (error) {
        const shown = error instanceof McpError ? new ToolError(pipedText(error.whole)) : error;
        throw withoutSecrets(shown, await server.secrets());
      }
    },
  };
}
