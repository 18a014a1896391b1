// MCP in a session, as the agent uses it: definitions for its start, tools by name, and the notes about what changed.
import { type DecidableCall, renderReminder, type SessionLog, type Tool } from "@codelia/core";
import type { ClientServer } from "@codelia/protocol";
import type { PermissionDecision, SessionRecordOf, ToolDefinition } from "@codelia/shared-types";
import { redactedTool, redactText, type Secret } from "../secrets/index.ts";
import { clientServers } from "./client-servers.ts";
import { definitionOf } from "./offered-tools.ts";
import { clientSecrets, configuredSecrets, placesOf } from "./server-secrets.ts";
import { createSessionServers, type SessionServers, type SessionServersOptions } from "./session-servers.ts";
import { createCallTool, createDirectTool, createSearchTool, directDefinitions } from "./tools.ts";

export interface SessionMcpOptions extends Omit<SessionServersOptions, "notify" | "clientServers"> {
  /** What the client of the run brought. */
  readonly brought: readonly ClientServer[];
  readonly secrets: readonly Secret[];
  /** Of the model, in tokens. */
  readonly window: number | undefined;
}

const prefix = "mcp__";
const deferredTools = ["mcp_search", "mcp_call"];
const maxNamed = 20;

export class SessionMcp {
  readonly #servers: SessionServers;
  readonly #options: SessionMcpOptions;
  readonly #secrets: readonly Secret[];
  readonly #notify: (notice: string) => void;
  readonly notices: readonly string[];

  private constructor(
    servers: SessionServers,
    options: SessionMcpOptions,
    secrets: readonly Secret[],
    { notices, notify }: { notices: readonly string[]; notify: (notice: string) => void },
  ) {
    this.#servers = servers;
    this.#options = options;
    this.#secrets = secrets;
    this.notices = notices;
    this.#notify = notify;
  }

  /** @effects asks about servers that are not approved; starts those alone */
  static async open(options: SessionMcpOptions): Promise<SessionMcp> {
    const { environment, project } = options;
    const client = clientServers(options.brought, project);
    const secrets = [
      ...configuredSecrets(project, environment.env),
      ...clientSecrets(client.servers, placesOf(environment, project)),
      ...options.secrets,
    ].toSorted((a, b) => b.value.length - a.value.length);
    const notices: string[] = [];
    const notify = (notice: string) => {
      // A server's last words are in them, and it may have said what it was given.
      const text = redactText(secrets, notice);
      if (options.answers?.isNews(text) ?? true) notices.push(text);
    };
    for (const notice of client.notices) notify(notice);
    const servers = createSessionServers({ ...options, clientServers: client.servers, notify });
    await servers.enter();
    return new SessionMcp(servers, options, secrets, { notices, notify });
  }

  /** Servers and calls to them that were refused because nobody could be asked. */
  get refused(): { readonly servers: number; readonly calls: number } {
    return { servers: this.#servers.refusedServers, calls: this.#servers.refusedCalls };
  }

  /** What a new session's fixed start holds; servers that come or change later are found by the two that it always has. */
  definitions(describe: (tool: Tool) => ToolDefinition): ToolDefinition[] {
    const share = this.#options.project.settings.values.mcp.deferAbove;
    return [
      ...[...this.#deferred().values()].map(describe),
      ...directDefinitions(this.#servers, { window: this.#options.window, share }),
    ];
  }

  /** For the names that the session's start has, whatever became of their servers. */
  tools(definitions: readonly ToolDefinition[]): Map<string, Tool> {
    const root = this.#options.project.root.path;
    const direct = definitions
      .filter(({ name }) => name.startsWith(prefix))
      .map(
        ({ name }) =>
          [name, redactedTool(createDirectTool(this.#servers, name, root), this.#secrets)] as const,
      );
    return new Map([...this.#deferred(), ...direct]);
  }

  #deferred(): Map<string, Tool> {
    const root = this.#options.project.root.path;
    const tools = [createSearchTool(this.#servers), createCallTool(this.#servers, root)];
    return new Map(tools.map((tool) => [tool.name, redactedTool(tool, this.#secrets)]));
  }

  deciding(
    decide: (call: DecidableCall) => Promise<PermissionDecision>,
    signal: () => AbortSignal,
  ): (call: DecidableCall) => Promise<PermissionDecision> {
    return this.#servers.deciding(decide, signal);
  }

  /** The note about tools that are no longer as the session's start describes them; undefined: all are, or it was said. */
  changes({ conversation }: SessionLog): SessionRecordOf<"reminder"> | undefined {
    const offered = conversation.context?.tools ?? [];
    if (!deferredTools.every((name) => offered.some((tool) => tool.name === name))) {
      this.#notify(
        "MCP servers are not used in this session, which began without them. Start a new one to use them.",
      );
      return undefined;
    }
    const text = changedTools(
      offered.filter(({ name }) => name.startsWith(prefix)),
      this.#servers.tools.map(({ server, tool }) => definitionOf(server.name, tool)),
    );
    const isKnown = conversation.items.some(
      ({ message }) =>
        message.role === "user" && message.content.some((part) => part.type === "text" && part.text === text),
    );
    return text === undefined || isKnown
      ? undefined
      : { type: "reminder", kind: "mcp.changed", text, agents: [] };
  }

  async dispose(): Promise<void> {
    await this.#servers.dispose();
  }
}

/** Where the start describes none, all are found by a search anyway. */
function changedTools(before: readonly ToolDefinition[], now: readonly ToolDefinition[]): string | undefined {
  if (before.length === 0) return undefined;
  const known = new Map(before.map((tool) => [tool.name, JSON.stringify(tool)]));
  const there = new Map(now.map((tool) => [tool.name, JSON.stringify(tool)]));
  const lines = [
    ...listed(
      "No longer offered",
      before.map(({ name }) => name).filter((name) => !there.has(name)),
    ),
    ...listed(
      "Changed, look them up before you call them",
      [...there].filter(([name, text]) => known.has(name) && known.get(name) !== text).map(([name]) => name),
    ),
    ...listed(
      "New",
      [...there.keys()].filter((name) => !known.has(name)),
    ),
  ];
  if (lines.length === 0) return undefined;
  return renderReminder(
    "mcp.changed",
    [
      "Tools of MCP servers changed since this session began. mcp_search shows them, mcp_call calls them.",
      ...lines,
    ].join("\n"),
  );
}

function listed(title: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const rest = names.length - maxNamed;
  return [`${title}: ${names.slice(0, maxNamed).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`];
}
