// A user's machine with MCP servers: real processes and sandboxes, a scripted model, the runtime as faces reach it.
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import {
  type Channel,
  type Client,
  type ClientServer,
  connectInProcess,
  type RunEvent,
} from "@codelia/protocol";
import type { McpServerConfig, SessionRecord, SessionRecordOf, SettingFlag } from "@codelia/shared-types";
import { nodeDisk, nodeFileSystem } from "@codelia/storage";
import { pathToRepository, repository } from "../../../../test/support/codelia.ts";
import { TemporaryTree, type TreeDescription } from "../../../../test/support/tree.ts";
import type { RuntimeEnvironment } from "../../src/environment.ts";
import { createHandlers } from "../../src/rpc/index.ts";
import { readRecords } from "../../src/sessions/index.ts";

export type Event<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

export interface McpRun {
  readonly status: string;
  readonly error: string | undefined;
  readonly sessionId: string;
  readonly notices: readonly string[];
  /** Of each call, in order. */
  readonly outputs: readonly string[];
  readonly decisions: readonly string[];
  readonly events: readonly RunEvent[];
}

export interface McpRunOptions {
  readonly approval?: "ask" | "full";
  readonly confirm?: Channel["confirm"];
  readonly resume?: string;
  readonly settings?: readonly SettingFlag[];
  /** What the client brings. */
  readonly servers?: readonly ClientServer[];
  /** One program for several runs. */
  readonly client?: Client;
  /** Called with each event, and a way to end the run. */
  readonly onEvent?: (event: RunEvent, cancel: () => void) => void;
  readonly window?: number;
}

// A machine may be busy; a server that is slow to start is not what is tested.
const patient = { startTimeoutSeconds: 120 };

/** A server of somebody else, from npm. */
export function packagedServer(name: string, ...args: string[]): McpServerConfig {
  const script = join(repository, "node_modules/@modelcontextprotocol", name, "dist/index.js");
  return { command: process.execPath, args: [script, ...args], ...patient };
}

/** One of the test's own, which misbehaves as told. */
export function hostileServer(mode: string, ...args: string[]): McpServerConfig {
  return {
    command: process.execPath,
    args: [join(import.meta.dir, "servers/hostile-server.ts"), mode, ...args],
    ...patient,
  };
}

/** A program as a client brings it. */
export function broughtProgram(
  name: string,
  config: McpServerConfig,
  env: Record<string, string> = {},
): ClientServer {
  if (!("command" in config)) throw new Error(`${name} is no program`);
  return { name, command: config.command, args: config.args ?? [], env };
}

/** An argument by which a test finds its own processes. */
export function uniqueWord(): string {
  return `codelia-mcp-${randomUUID()}`;
}

/** Whatever is asked. */
export const yes: NonNullable<Channel["confirm"]> = () => Promise.resolve({ decision: "allow_once" });

export class McpScene implements Disposable {
  readonly tree: TemporaryTree;
  readonly env: Record<string, string>;

  constructor(description: TreeDescription = {}, env: Record<string, string> = {}) {
    this.tree = new TemporaryTree({ "home/": "", "repo/.codelia/": "", ...description });
    this.env = { PATH: pathToRepository, HOME: this.tree.at("home"), ...env };
  }

  environment(): RuntimeEnvironment {
    return {
      env: this.env,
      userHome: this.tree.at("home"),
      fs: nodeFileSystem,
      disk: nodeDisk,
      version: "0.0.0",
      now: () => new Date("2026-01-01T00:00:00Z"),
      fetch: (url, init) => fetch(url, init),
      executable: process.execPath,
    };
  }

  client({ settings = [] }: { settings?: readonly SettingFlag[] } = {}): Client {
    return connectInProcess(createHandlers(this.environment(), { settings, trust: true }));
  }

  /** Servers in the user's own settings. */
  configure(servers: Record<string, McpServerConfig>, rest: object = {}): void {
    this.tree.add({ "home/.codelia/config.json": JSON.stringify({ mcp: { servers }, ...rest }) });
  }

  /** Servers in the repository's settings. */
  configureProject(servers: Record<string, McpServerConfig>): void {
    this.tree.add({ "repo/.codelia/config.json": JSON.stringify({ mcp: { servers } }) });
  }

  get cwd(): string {
    return this.tree.at("repo");
  }

  approve(name: string) {
    return this.client().call("mcp.approve", { cwd: this.cwd, name, revoke: false });
  }

  /** Lets a scripted model make the calls, one a turn. */
  async run(
    calls: readonly (readonly [tool: string, args: object])[],
    options: McpRunOptions = {},
  ): Promise<McpRun> {
    const turns = [
      ...calls.map(([name, args]) => ({ tool_calls: [{ name, arguments: args }] })),
      { text: "Done." },
    ];
    const { window } = options;
    const script = { turns, ...(window === undefined ? {} : { contextWindow: window }) };
    this.tree.add({ "script.json": JSON.stringify(script) });
    const client =
      options.client ?? this.client(options.settings === undefined ? {} : { settings: options.settings });
    const events: RunEvent[] = [];
    let runId = "";
    const result = await client.call(
      "run.start",
      {
        cwd: this.cwd,
        prompt: "go",
        images: [],
        model: `scripted/${this.tree.at("script.json")}`,
        approval: options.approval ?? "full",
        compact: true,
        ...(options.servers === undefined ? {} : { mcp_servers: [...options.servers] }),
        ...(options.resume === undefined ? {} : { session: { how: "resume" as const, id: options.resume } }),
      },
      {
        emit: (event) => {
          events.push(event);
          if (event.type === "run.started") runId = event.run_id;
          options.onEvent?.(event, () => void client.call("run.cancel", { run_id: runId }));
        },
        ...(options.confirm === undefined ? {} : { confirm: options.confirm }),
      },
    );
    return {
      status: result.status,
      error: result.error,
      sessionId: result.session_id,
      notices: only(events, "run.started").flatMap(({ notices }) => notices),
      outputs: only(events, "tool.finished").map(({ output }) => output),
      decisions: only(events, "permission.decided").map(({ decision, by }) => `${decision} by ${by}`),
      events,
    };
  }

  /** The fixed start of a session, as it was journalled. */
  async context(sessionId: string): Promise<SessionRecordOf<"session.context">> {
    const record = (await this.#records(sessionId)).find(({ type }) => type === "session.context");
    if (record?.type !== "session.context") throw new Error(`${sessionId} has no start`);
    return record;
  }

  /** The notes of a kind in a session, in order. */
  async reminders(sessionId: string, kind: string): Promise<string[]> {
    return (await this.#records(sessionId)).flatMap((record) =>
      record.type === "reminder" && record.kind === kind ? [record.text] : [],
    );
  }

  async #records(sessionId: string): Promise<SessionRecord[]> {
    const home = this.tree.at("home/.codelia");
    const [file = ""] = new Bun.Glob(`**/*${sessionId}*/journal.jsonl`).scanSync({ cwd: home, dot: true });
    const records: SessionRecord[] = [];
    for await (const { record } of readRecords(nodeDisk, dirname(join(home, file)))) records.push(record);
    return records;
  }

  [Symbol.dispose](): void {
    this.tree[Symbol.dispose]();
  }
}

export function only<T extends RunEvent["type"]>(events: readonly RunEvent[], type: T): Event<T>[] {
  return events.filter((event): event is Event<T> => event.type === type);
}
