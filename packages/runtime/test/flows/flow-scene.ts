// A project with a flow agent, a scripted model and the runtime behind the protocol: what a face talks to.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import {
  type Channel,
  type FlowEvent,
  isFlowEvent,
  type Params,
  type ProtocolEvent,
  type Result,
} from "@codelia/protocol";
import {
  type AgentFile,
  type FlowStep,
  type SessionRecord,
  type SessionRecordOf,
  SessionRecordSchema,
  type SettingFlag,
} from "@codelia/shared-types";
import { nodeDisk, nodeFileSystem, readJournal } from "@codelia/storage";
import { TemporaryTree, type TreeDescription } from "../../../../test/support/tree.ts";
import type { RuntimeEnvironment } from "../../src/environment.ts";
import { createHandlers } from "../../src/rpc/index.ts";

export interface SceneDraft {
  readonly steps: Readonly<Record<string, Partial<FlowStep>>>;
  readonly agent?: Omit<AgentFile, "steps">;
  readonly prompts?: Readonly<Record<string, string>>;
  /** What the model says, by a text that is in a session's first prompt. */
  readonly model?: Readonly<Record<string, readonly unknown[]>>;
  readonly files?: TreeDescription;
  readonly settings?: readonly SettingFlag[];
}

export class FlowScene implements Disposable {
  readonly tree: TemporaryTree;
  readonly events: FlowEvent[] = [];
  readonly #settings: readonly SettingFlag[];

  /** Every step has a prompt of its own, "Do <id>.", unless it says otherwise. */
  constructor({ steps, agent = {}, prompts = {}, model = {}, files = {}, settings = [] }: SceneDraft) {
    this.#settings = settings;
    const whole = Object.fromEntries(
      Object.entries(steps).map(([id, step]) => [
        id,
        { prompt: `prompts/${id}.md`, onPass: { complete: true }, ...step },
      ]),
    );
    const own = Object.keys(steps).map((id): [string, string] => [`prompts/${id}.md`, `Do ${id}.`]);
    const written = Object.entries({ ...Object.fromEntries(own), ...prompts });
    this.tree = new TemporaryTree({
      "home/": "",
      "repo/.git/": "",
      "repo/.codelia/agents/flow/agent.json": JSON.stringify({ ...agent, steps: whole }),
      ...Object.fromEntries(written.map(([path, text]) => [`repo/.codelia/agents/flow/${path}`, text])),
      ...files,
    });
    this.script(model);
  }

  script(model: Readonly<Record<string, readonly unknown[]>>): void {
    const conversations = Object.entries(model).map(([text, turns]) => ({
      when: { first_user_contains: text },
      turns,
    }));
    const said =
      conversations.length === 0 ? { turns: [{ text: "ok" }], after_last: "repeat_last" } : { conversations };
    this.tree.add({ "script.json": JSON.stringify(said) });
  }

  get environment(): RuntimeEnvironment {
    return {
      env: { PATH: process.env.PATH ?? "" },
      userHome: this.tree.at("home"),
      fs: nodeFileSystem,
      disk: nodeDisk,
      version: "0.0.0",
      now: () => new Date(),
      fetch: () => Promise.reject(new Error("no network")),
      executable: process.execPath,
    };
  }

  get handlers() {
    return createHandlers(this.environment, { settings: this.#settings, trust: true });
  }

  async start(
    params: Partial<Params<"flow.start">> = {},
    channel: Partial<Channel> = {},
  ): Promise<Result<"flow.start">> {
    const { handlers } = this;
    return await handlers["flow.start"](
      {
        cwd: this.tree.at("repo"),
        agent: "flow",
        args: {},
        approval: "full",
        model: `scripted/${this.tree.at("script.json")}`,
        ...params,
      },
      { emit: (event) => this.#hear(event), confirm: undefined, ...channel },
    );
  }

  async resume(params: Partial<Params<"flow.resume">> = {}): Promise<Result<"flow.resume">> {
    const [run_id = ""] = this.runs();
    return await this.handlers["flow.resume"](
      { cwd: this.tree.at("repo"), run_id, ...params },
      { emit: (event) => this.#hear(event), confirm: undefined },
    );
  }

  #hear(event: ProtocolEvent): void {
    if (isFlowEvent(event)) this.events.push(event);
  }

  /** Ids of the runs. */
  runs(): string[] {
    return this.#ids("flows");
  }

  sessions(): string[] {
    return this.#ids("sessions");
  }

  runDirectory(id: string): string {
    return this.#directory("flows", id);
  }

  sessionDirectory(id: string): string {
    return this.#directory("sessions", id);
  }

  async sessionRecords(id: string): Promise<SessionRecord[]> {
    const records: SessionRecord[] = [];
    for await (const { record } of readJournal(this.sessionDirectory(id)))
      records.push(SessionRecordSchema.parse(record));
    return records;
  }

  /** The tools that a session was offered. */
  async offered(id: string): Promise<string[]> {
    const context = (await this.sessionRecords(id)).find(
      (record): record is SessionRecordOf<"session.context"> => record.type === "session.context",
    );
    return (context?.tools ?? []).map(({ name }) => name);
  }

  #ids(folder: string): string[] {
    const path = this.tree.at("home/.codelia", folder);
    if (!existsSync(path)) return [];
    return readdirSync(path)
      .flatMap((name) => readdirSync(join(path, name)))
      .toSorted();
  }

  #directory(folder: string, id: string): string {
    const path = this.tree.at("home/.codelia", folder);
    const name = readdirSync(path).find((each) => readdirSync(join(path, each)).includes(id)) ?? "";
    return join(path, name, id);
  }

  [Symbol.dispose](): void {
    this.tree[Symbol.dispose]();
  }
}

export function call(name: string, args: unknown): unknown {
  return { tool_calls: [{ name, arguments: args }] };
}

export const word = { word: { type: "string" } } as const;

export function says(output: unknown): unknown {
  return { text: `\`\`\`json\n${JSON.stringify(output)}\n\`\`\`` };
}
