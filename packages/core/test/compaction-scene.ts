// A session with a small window: a model that is asked for turns and for summaries, and a tool that says a lot.
import {
  type AgentEvent,
  type CarriedText,
  describeTool,
  type LoopLimits,
  type RunResult,
  runLoop,
  SessionLog,
  summaryQuestion,
  type Tool,
} from "@codelia/core";
import type {
  AgentsRecord,
  Message,
  ModelFailure,
  ModelRequest,
  SessionRecord,
  StreamPart,
  Usage,
  UserMessage,
} from "@codelia/shared-types";
import { z } from "zod";
import { type MemoryHistory, memoryHistory } from "../../../test/support/memory-history.ts";
import { calling, saying } from "./fake-connection.ts";
import { context, userText } from "./session-records.ts";

type Response = readonly StreamPart[] | ((signal: AbortSignal) => readonly StreamPart[]);

interface Answers {
  /** In order; without one the model says "done". */
  readonly turns?: readonly Response[];
  /** In order; the last one is given again and again. */
  readonly summaries?: readonly Response[];
}

interface RunExtras {
  readonly signal?: AbortSignal;
  readonly enabled?: boolean;
  readonly limits?: LoopLimits;
  readonly steering?: UserMessage[];
  /** What the model is told at the end of each output. */
  readonly agents?: AgentsRecord[];
}

const parameters = z.strictObject({ characters: z.number() });

/** Says as many characters as it is told to. */
const look: Tool = {
  name: "look",
  description: "look",
  parameters,
  prepare: (args) => {
    const { characters } = parameters.parse(args);
    return Promise.resolve({
      title: "look",
      paths: ["/repo/x"],
      access: { kind: "none" },
      execute: ({ output }) => output.write("o".repeat(characters)),
    });
  },
};

export class CompactionScene {
  readonly store: MemoryHistory = memoryHistory();
  readonly log = new SessionLog(this.store);
  readonly requests: ModelRequest[] = [];
  readonly events: AgentEvent[] = [];
  /** Texts that were kept by reference; the ref is `ref-` and the place in this list. */
  readonly kept: string[] = [];
  /** A last answer, without a usage: what is counted then is an estimate. */
  readonly done = saying("done").filter(({ type }) => type !== "usage");
  carried: CarriedText[] = [];
  refreshed = 0;
  readonly #window: number | undefined;
  #looks = 0;

  constructor(window: number | undefined) {
    this.#window = window;
  }

  get records(): SessionRecord[] {
    return this.store.records;
  }

  get summaryRequests(): ModelRequest[] {
    return this.requests.filter(isForSummary);
  }

  /** A turn that looks, in one call or several at once. */
  look(...characters: readonly number[]): StreamPart[] {
    return calling(
      ...characters.map((each) => [`look-${++this.#looks}`, "look", { characters: each }] as const),
    );
  }

  async run(prompt: string | UserMessage, answers: Answers = {}, extras: RunExtras = {}): Promise<RunResult> {
    if (this.log.conversation.context === undefined) await this.log.append(context);
    const turns = [...(answers.turns ?? [])];
    const summaries = [...(answers.summaries ?? [saying("A summary.")])];
    const next = (request: ModelRequest): Response => {
      if (!isForSummary(request)) return turns.shift() ?? this.done;
      return (summaries.length > 1 ? summaries.shift() : summaries[0]) ?? [];
    };
    return runLoop(typeof prompt === "string" ? userText(prompt) : prompt, {
      connection: {
        id: "fake/model",
        contextWindow: this.#window,
        stream: (request, signal) => {
          this.requests.push(structuredClone(request));
          return streamOf(next(request), signal);
        },
      },
      prefix: context.prefix,
      toolDefinitions: [describeTool(look)],
      tools: new Map([["look", look]]),
      log: this.log,
      accompany: () => Promise.resolve([]),
      seams: {
        decide: () => Promise.resolve({ decision: "allow", by: "mode", reason: "test" }),
        remind: () => Promise.resolve({ text: undefined, records: extras.agents ?? [] }),
        outputs: {
          open: () => {
            const chunks: Uint8Array[] = [];
            return Promise.resolve({
              write: async (chunk) => void chunks.push(chunk.slice()),
              finish: () => this.#keep(Buffer.concat(chunks).toString()),
            });
          },
        },
        keepContent: () => Promise.reject(new Error("no file is changed")),
        takeSeen: () => [],
        now: () => 0,
      },
      compaction: {
        enabled: extras.enabled ?? true,
        compactAt: 0.85,
        carried: () => this.carried,
        keep: (text) => this.#keep(text),
        onCompacted: () => {
          this.refreshed += 1;
        },
      },
      limits: extras.limits ?? {},
      costOf: ({ inputTokens }: Usage) => inputTokens / 1000,
      takeSteering: () => extras.steering?.splice(0) ?? [],
      cacheKey: "test",
      signal: extras.signal ?? new AbortController().signal,
      emit: (event) => void this.events.push(event),
    });
  }

  #keep(text: string): Promise<string> {
    this.kept.push(text);
    return Promise.resolve(`ref-${this.kept.length - 1}`);
  }
}

export function isForSummary({ messages }: ModelRequest): boolean {
  return JSON.stringify(messages.at(-1)) === JSON.stringify(summaryQuestion);
}

export function failing(kind: ModelFailure["kind"], message = "made by a test"): StreamPart[] {
  return [{ type: "failure", failure: { kind, message, retryable: false } }];
}

async function* streamOf(response: Response, signal: AbortSignal): AsyncGenerator<StreamPart> {
  yield* typeof response === "function" ? response(signal) : response;
}

/** Each message as the bytes that are compared. */
export function bytesOf({ messages }: Pick<ModelRequest, "messages">): string[] {
  return messages.map((message) => JSON.stringify(message));
}

export function isExtension(longer: ModelRequest, shorter: ModelRequest): boolean {
  return bytesOf(longer).join("\n").startsWith(bytesOf(shorter).join("\n"));
}

/** All text of a message, part by part. */
export function textsOf(message: Message | undefined): string[] {
  if (message?.role !== "user") return [];
  return message.content.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`));
}
