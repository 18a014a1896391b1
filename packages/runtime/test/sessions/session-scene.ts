// Runs of one project that go on with each other's sessions, with a model that keeps what it was sent.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent, RunResult } from "@codelia/core";
import { commonPrefixLength, createScriptedModel, parseScript, requestBytes } from "@codelia/models/scripted";
import type { Params } from "@codelia/protocol";
import type {
  Message,
  ModelConnection,
  ModelRequest,
  SessionRecord,
  SettingFlag,
  UserMessage,
} from "@codelia/shared-types";
import { nodeDisk, nodeFileSystem } from "@codelia/storage";
import { TemporaryTree, type TreeDescription } from "../../../../test/support/tree.ts";
import { createAgent } from "../../src/agent-factory.ts";
import type { RuntimeEnvironment } from "../../src/environment.ts";
import { openProject } from "../../src/project/index.ts";
import {
  createSession,
  enterSession,
  newSessionId,
  openSession,
  readRecords,
  repositoryFolder,
} from "../../src/sessions/index.ts";

type Choice = Exclude<NonNullable<Params<"run.start">["session"]>, { how: "prepared" }>;

export interface SceneRun {
  readonly id: string;
  readonly directory: string;
  readonly result: RunResult;
  readonly requests: readonly ModelRequest[];
  readonly events: readonly AgentEvent[];
  readonly notices: readonly string[];
}

interface RunOptions {
  /** Relative to the tree. */
  readonly cwd?: string;
  readonly session?: Choice;
  /** A session at this place, whatever its id is. */
  readonly directory?: string;
  /** Tokens; absent: unknown. */
  readonly window?: number;
  readonly settings?: readonly SettingFlag[];
  readonly images?: readonly string[];
  readonly steering?: UserMessage[];
  /** Runs when the model is asked, with the number of the request from 1. */
  readonly onRequest?: (number: number) => void;
  readonly date?: string;
}

export class SessionScene implements Disposable {
  readonly tree: TemporaryTree;

  constructor(description: TreeDescription = {}) {
    this.tree = new TemporaryTree({ "home/": "", "repo/": "", ...description });
    spawnSync("git", ["init", "-q"], { cwd: this.tree.at("repo") });
  }

  environment(date = "2026-01-01T00:00:00Z"): RuntimeEnvironment {
    return {
      env: { PATH: process.env.PATH ?? "" },
      userHome: this.tree.at("home"),
      fs: nodeFileSystem,
      disk: nodeDisk,
      version: "0.0.0",
      now: () => new Date(date),
      fetch: () => Promise.reject(new Error("no network")),
      executable: process.execPath,
    };
  }

  /** One run from its start to its end: a new session unless another is chosen. */
  async run(prompt: string, turns: readonly unknown[], options: RunOptions = {}): Promise<SceneRun> {
    const environment = this.environment(options.date);
    const settings = { settings: options.settings ?? [], trust: true };
    const project = await openProject(environment, settings, this.tree.at(options.cwd ?? "repo"));
    const { connection, requests } = this.#model(turns, options);
    const session =
      options.directory !== undefined
        ? await openSession(environment, options.directory)
        : options.session !== undefined
          ? await enterSession(environment, project, options.session)
          : await createSession(environment, repositoryFolder(project.codeliaHome, project.trust.identity), {
              type: "session.start",
              format: 1,
              id: newSessionId(environment.now()),
              program: "0.0.0",
              cwd: project.cwd,
              root: project.root.path,
              repository: project.trust.identity,
              model: connection.id,
              title: prompt,
            });
    try {
      const agent = await createAgent({
        environment,
        project,
        session,
        opened: { connection, model: connection.id, costOf: () => 0 },
        approval: { mode: "full", confirm: undefined },
        compact: true,
        notify: () => undefined,
      });
      const events: AgentEvent[] = [];
      const result = await agent.run(promptOf(prompt, options.images), {
        limits: {},
        takeSteering: () => options.steering?.splice(0) ?? [],
        signal: new AbortController().signal,
        emit: (event) => void events.push(event),
      });
      await agent.dispose();
      const { id, directory, notices } = session;
      return { id, directory, result, requests, events, notices };
    } finally {
      await session.close();
    }
  }

  #model(turns: readonly unknown[], { window, onRequest }: RunOptions) {
    const parsed = parseScript(
      { turns, ...(window === undefined ? {} : { contextWindow: window }) },
      "scene",
    );
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    const scripted = createScriptedModel(parsed.script, { sleep: () => Promise.resolve() });
    const requests: ModelRequest[] = [];
    const connection: ModelConnection = {
      ...scripted,
      stream: (request, signal) => {
        requests.push(structuredClone(request));
        onRequest?.(requests.length);
        return scripted.stream(request, signal);
      },
    };
    return { connection, requests };
  }

  async records(directory: string): Promise<SessionRecord[]> {
    const records: SessionRecord[] = [];
    for await (const { record } of readRecords(nodeDisk, directory)) records.push(record);
    return records;
  }

  [Symbol.dispose](): void {
    this.tree[Symbol.dispose]();
  }
}

function promptOf(prompt: string, images: readonly string[] = []): UserMessage {
  return {
    role: "user",
    content: [
      { type: "text", text: prompt },
      ...images.map((data) => ({ type: "image" as const, mediaType: "image/png", data })),
    ],
  };
}

export function call(name: string, args: unknown, expect?: unknown): unknown {
  return { tool_calls: [{ name, arguments: args }], ...(expect === undefined ? {} : { expect }) };
}

/** How many bytes of each request are not the start of the next one. */
export function lostBytes(requests: readonly ModelRequest[]): number[] {
  const bytes = requests.map(requestBytes);
  return bytes.slice(1).map((request, index) => {
    const before = bytes[index] ?? new Uint8Array();
    return before.length - commonPrefixLength(before, request);
  });
}

export function journalLines(directory: string): string[] {
  return readFileSync(join(directory, "journal.jsonl"), "utf8").split("\n").slice(0, -1);
}

export function outputsOf(messages: readonly Message[] = []): string[] {
  return messages.flatMap((message) => (message.role === "tool" ? [message.output] : []));
}

export function userTexts(messages: readonly Message[] = []): string[] {
  return messages.flatMap((message) =>
    message.role === "user"
      ? [message.content.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("|")]
      : [],
  );
}

/** The notes of one type in a request, without their tags. */
export function reminders(messages: readonly Message[] = [], type: string): string[] {
  const pattern = new RegExp(`<system-reminder type="${type}">\n([^]*?)\n</system-reminder>`, "g");
  return [...userTexts(messages), ...outputsOf(messages)].flatMap((text) =>
    [...text.matchAll(pattern)].map(([, inner = ""]) => inner),
  );
}

/** @error what a provider would refuse: a call without its result behind it, a result without its call */
export function requireValid(messages: readonly Message[]): void {
  const open: string[] = [];
  let isStart = true;
  for (const message of messages) {
    if (message.role === "system" && !isStart) throw new Error("a system message in the middle");
    if (message.role !== "system") isStart = false;
    if (message.role === "tool") {
      const expected = open.shift();
      if (message.toolCallId !== expected) throw new Error(`${message.toolCallId} answers ${expected}`);
    } else if (open.length > 0) throw new Error(`${open.join()} stays open before ${message.role}`);
    if (message.role === "assistant")
      open.push(...message.content.flatMap((part) => (part.type === "tool_call" ? [part.id] : [])));
  }
  if (open.length > 0) throw new Error(`${open.join()} stays open`);
  if (!["user", "tool"].includes(messages.at(-1)?.role ?? "")) throw new Error("there is nothing to answer");
}
