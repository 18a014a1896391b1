// `codelia mcp serve`: skills and instructions for other agents, over MCP on standard streams. What a project may say is
// decided as everywhere: by trust, by what the user switched off, and by deny rules.
import { finished, type Readable, type Writable } from "node:stream";
import { type Client, ProtocolError } from "@codelia/protocol";
import { type CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

export interface ServeOptions {
  readonly client: Client;
  readonly cwd: string;
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
}

const readOnly = { readOnlyHint: true, openWorldHint: false };

/** @effects reads requests from `input` and answers on `output` until `input` ends */
export async function serveMcp({ client, cwd, version, input, output }: ServeOptions): Promise<void> {
  const handle = serveStdio(() => codeliaServer(client, cwd, version), {
    transport: new StdioServerTransport(input, output),
  });
  await new Promise<void>((resolve) => {
    finished(input, { writable: false }, () => resolve());
    output.once("error", () => resolve());
  });
  await handle.close();
}

function codeliaServer(client: Client, cwd: string, version: string): McpServer {
  const server = new McpServer({ name: "codelia", version });
  server.registerTool(
    "skill_search",
    {
      description: "Find skills of this project and of the user by name or words of their description.",
      inputSchema: z.object({
        query: z.string().max(4096),
        limit: z.int().min(1).optional(),
        scope: z.enum(["repo", "user"]).optional(),
      }),
      annotations: readOnly,
    },
    ({ query, limit, scope }) =>
      answered(async () => {
        const given = {
          ...(limit === undefined ? {} : { limit }),
          ...(scope === undefined ? {} : { scope }),
        };
        const { results, count, truncated, notices } = await client.call("skills.search", {
          cwd,
          query,
          ...given,
        });
        const skills = results.map(({ skill: { name, description, path, scope: from }, reason, score }) => ({
          name,
          description,
          path,
          scope: from,
          reason,
          score,
        }));
        return JSON.stringify({ count, truncated, skills, notices }, undefined, 1);
      }),
  );
  server.registerTool(
    "skill_load",
    {
      description: "Load a skill's instructions by its name, or by its path where two have one name.",
      inputSchema: z.object({ name: z.string().max(4096).optional(), path: z.string().max(4096).optional() }),
      annotations: readOnly,
    },
    ({ name, path }) => answered(() => skillText(client, cwd, name, path)),
  );
  server.registerTool(
    "agents_resolve",
    {
      description:
        "Which AGENTS.md files hold for a path, from the root of the project to it, with their times.",
      inputSchema: z.object({ path: z.string().min(1).max(4096) }),
      annotations: readOnly,
    },
    ({ path }) => answered(() => filesFor(client, cwd, path)),
  );
  return server;
}

async function skillText(
  client: Client,
  cwd: string,
  name: string | undefined,
  path: string | undefined,
): Promise<string> {
  const selector = { ...(name === undefined ? {} : { name }), ...(path === undefined ? {} : { path }) };
  const { skill, disabled, text } = await client.call("skills.show", { cwd, ...selector });
  if (disabled) throw new ProtocolError("refused", `${skill.name}: the user switched this skill off`);
  // By the skill that was found, whatever was asked for.
  const call = { kind: "skill" as const, name: skill.name };
  const { decision, reason } = await client.call("permissions.check", { cwd, approval: "ask", call });
  if (decision === "deny") throw new ProtocolError("refused", `${skill.name}: ${reason}`);
  return text;
}

async function filesFor(client: Client, cwd: string, path: string): Promise<string> {
  const { trust, root, agents, resolve, notices } = await client.call("context.inspect", { cwd, path });
  if (trust.state === "untrusted")
    throw new ProtocolError("untrusted", notices[0] ?? `${root.path}: this project is not trusted`);
  const initial = agents.files.map(({ path: file, mtime_ms: mtime }) => ({ path: file, mtime_ms: mtime }));
  const further = (resolve?.files ?? []).map(({ path: file, mtime_ms: mtime }) => ({
    path: file,
    mtime_ms: mtime,
  }));
  return JSON.stringify(
    {
      root: root.path,
      path: resolve?.path ?? path,
      files: [...initial, ...further],
      pending: resolve?.pending ?? 0,
    },
    undefined,
    1,
  );
}

/** A failure is told to whoever asked; the server goes on. */
async function answered(ask: () => Promise<string>): Promise<CallToolResult> {
  try {
    return { content: [{ type: "text", text: await ask() }] };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const hint = error instanceof ProtocolError && error.hint !== undefined ? `\n${error.hint}` : "";
    return { content: [{ type: "text", text: `${message}${hint}` }], isError: true };
  }
}
