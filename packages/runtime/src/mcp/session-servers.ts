// The MCP servers of one session, or of the sessions of one run. Without any, what speaks MCP is never loaded.
import type { DecidableCall } from "@codelia/core";
import type { McpTool, PermissionDecision } from "@codelia/shared-types";
import type { RuntimeEnvironment } from "../environment.ts";
import type { Project } from "../project/index.ts";
import { openApprovals } from "./approvals.ts";
import type { Confirm } from "./approve.ts";
import { type ConfiguredServer, configuredServers, isEnabled } from "./configured-server.ts";
import { type Connector, createConnector } from "./connector.ts";
import { McpError, messageOf } from "./error.ts";
import { offeredName } from "./offered-tools.ts";
import type { SessionAnswers } from "./session-answers.ts";
import { SessionServer } from "./session-server.ts";

export interface SessionServersOptions {
  readonly environment: RuntimeEnvironment;
  readonly project: Project;
  /** Besides those of the settings. */
  readonly clientServers: readonly ConfiguredServer[];
  readonly confirm: Confirm | undefined;
  /** What was said about servers earlier in the session. */
  readonly answers?: SessionAnswers | undefined;
  readonly notify: (notice: string) => void;
}

export interface OfferedTool {
  readonly server: SessionServer;
  readonly tool: McpTool;
  /** As models and rules know it. */
  readonly name: string;
}

type Decide = (call: DecidableCall) => Promise<PermissionDecision>;

export class SessionServers {
  readonly #servers: readonly SessionServer[];
  readonly #connector: Pick<Connector, "dispose">;
  readonly #notify: (notice: string) => void;
  readonly #canAsk: boolean;
  #refusedServers = 0;
  #refusedCalls = 0;

  constructor(
    servers: readonly SessionServer[],
    connector: Pick<Connector, "dispose">,
    { notify, confirm }: Pick<SessionServersOptions, "notify" | "confirm">,
  ) {
    this.#servers = servers;
    this.#connector = connector;
    this.#notify = notify;
    this.#canAsk = confirm !== undefined;
  }

  /** Calls to servers that changed, refused because nobody could be asked. */
  get refusedCalls(): number {
    return this.#refusedCalls;
  }

  /** Servers that are not used because nobody could be asked. */
  get refusedServers(): number {
    return this.#refusedServers;
  }

  get all(): readonly SessionServer[] {
    return this.#servers;
  }

  /**
   * To be called once, before anything is told to a model.
   * @effects asks about servers that are not approved, one after the other; says which are not used, and why
   */
  async enter(): Promise<void> {
    for (const server of this.#servers) {
      let why: string | undefined;
      try {
        why = await server.enter();
      } catch (error) {
        this.#notify(
          error instanceof McpError ? `${error.whole} The session goes on without it.` : messageOf(error),
        );
        continue;
      }
      if (why === undefined) continue;
      const isRefused = !this.#canAsk && server.server.fault === undefined;
      if (isRefused) this.#refusedServers += 1;
      const isOurs = server.server.scope !== "client";
      const way = isRefused && isOurs ? ` Approve it with: codelia mcp approve ${server.name}` : "";
      this.#notify(`MCP server ${server.name} is not used: ${why}.${way}`);
    }
  }

  /** Of every server that is approved. */
  get tools(): OfferedTool[] {
    return this.#servers.flatMap((server) =>
      server.tools.map((tool) => ({ server, tool, name: offeredName(server.name, tool.name) })),
    );
  }

  find(name: string): SessionServer | undefined {
    return this.#servers.find((server) => server.name === name);
  }

  /** A decision that also holds a server against what was approved of it, right before it is used. */
  deciding(decide: Decide, signal: () => AbortSignal): Decide {
    return async (call) => {
      const { access } = call.prepared;
      const decision = await decide(call);
      if (access.kind !== "mcp" || decision.decision === "deny") return decision;
      try {
        const refusal = await this.find(access.server)?.verify(signal());
        if (refusal?.by === "no_user") this.#refusedCalls += 1;
        return refusal ?? decision;
      } catch (error) {
        // What cannot be reached is no question of permission: the call itself says what is wrong.
        if (error instanceof McpError) return decision;
        throw error;
      }
    };
  }

  /** @effects ends them; none is started again */
  async dispose(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
    await this.#connector.dispose();
  }
}

/** @effects none before `enter` */
export function createSessionServers(options: SessionServersOptions): SessionServers {
  const { environment, project, confirm, answers } = options;
  const usable = [...configuredServers(project).filter(isEnabled), ...options.clientServers];
  const connector = createConnector(environment, project);
  const approvals = openApprovals(environment.fs, project.codeliaHome);
  const place = { root: project.root.path, approvals, confirm, answers, now: environment.now, ...connector };
  return new SessionServers(
    usable.map((server) => new SessionServer(server, place)),
    connector,
    options,
  );
}
