// MCP in a session, as the agent uses it: definitions for its start, tools by name, and the notes about what changed.
import { type DecidableCall, renderReminder, type SessionLog, type Tool } from "@codelia/core";
import type { ClientServer } from "@codelia/protocol";
import type { PermissionDecision, SessionRecordOf, ToolDefinition } from "@codelia/shared-types";
import type { Project } from "../project/index.ts";
import { redactedTool, redactText, type Secret } from "../secrets/index.ts";
import { clientServers } from "./client-servers.ts";
import { definitionOf } from "./offered-tools.ts";
import { clientSecrets, configuredSecrets, placesOf } from "./server-secrets.ts";
import { createSessionServers, type SessionServers, type SessionServersOptions } from "./session-servers.ts";
import { createCallTool, createDirectTool, createSearchTool, directDefinitions } from "./tools.ts";

export interface EnteringOptions extends Omit<SessionServersOptions, "notify" | "clientServers"> {
  /** What the client of the run brought. */
  readonly brought: readonly ClientServer[];
  readonly secrets: readonly Secret[];
}

/** Servers that were asked about, for one session or for all of a run. Whoever entered them ends them. */
export interface EnteredServers {
  readonly project: Project;
  readonly servers: SessionServers;
  /** What must not be shown, theirs included. */
  readonly secrets: readonly Secret[];
  readonly notices: readonly string[];
  /** @output whether the user was not told yet @effects from now on they were */
  readonly isNews: (notice: string) => boolean;
}

/** @effects asks about servers that are not approved; starts those alone */
export async function enterServers(options: EnteringOptions): Promise<EnteredServers> {
  const { project, environment } = options;
  const client = clientServers(options.brought, project);
  const secrets = [
    ...configuredSecrets(project, environment.env),
    ...clientSecrets(client.servers, placesOf(environment, project)),
    ...options.secrets,
  ].toSorted((a, b) => b.value.length - a.value.length);
  const notices: string[] = [];
  const isNews = (notice: string) => options.answers?.isNews(notice) ?? true;
  const notify = (notice: string) => {
    // A server's last words are in them, and it may have said what it was given.
    const text = redactText(secrets, notice);
    if (isNews(text)) notices.push(text);
  };
  for (const notice of client.notices) notify(notice);
  const servers = createSessionServers({ ...options, clientServers: client.servers, notify });
  await servers.enter();
  return { project, servers, secrets, notices, isNews };
}

const prefix = "mcp__";
const deferredTools = ["mcp_search", "mcp_call"];
const maxNamed = 20;

export class SessionMcp {
  readonly #servers: SessionServers;
  readonly #project: Project;
  readonly #window: number | undefined;
  readonly #secrets: readonly Secret[];
  readonly #isNews: (notice: string) => boolean;
  /** Refusals of sessions before this one. */
  readonly #earlierRefusals: number;
  readonly notices: string[];

  /** @input window: of the model, in tokens */
  constructor({ project, servers, secrets, notices, isNews }: EnteredServers, window: number | undefined) {
    this.#servers = servers;
    this.#project = project;
    this.#window = window;
    this.#secrets = secrets;
    this.#isNews = isNews;
    this.#earlierRefusals = servers.refusedCalls;
    this.notices = [...notices];
  }

  /** Servers, and calls of this session to them, that were refused because nobody could be asked. */
  get refused(): { readonly servers: number; readonly calls: number } {
    const calls = this.#servers.refusedCalls - this.#earlierRefusals;
    return { servers: this.#servers.refusedServers, calls };
  }

  /** What a new session's fixed start holds; servers that come or change later are found by the two that it always has. */
  definitions(describe: (tool: Tool) => ToolDefinition): ToolDefinition[] {
    const share = this.#project.settings.values.mcp.deferAbove;
    return [
      ...[...this.#deferred().values()].map(describe),
      ...directDefinitions(this.#servers, { window: this.#window, share }),
    ];
  }

  /** For the names that the session's start has, whatever became of their servers. */
  tools(definitions: readonly ToolDefinition[]): Map<string, Tool> {
    const root = this.#project.root.path;
    const direct = definitions
      .filter(({ name }) => name.startsWith(prefix))
      .map(
        ({ name }) =>
          [name, redactedTool(createDirectTool(this.#servers, name, root), this.#secrets)] as const,
      );
    return new Map([...this.#deferred(), ...direct]);
  }

  #deferred(): Map<string, Tool> {
    const root = this.#project.root.path;
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
      const notice =
        "MCP servers are not used in this session, which began without them. Start a new one to use them.";
      if (this.#isNews(notice)) this.notices.push(notice);
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
