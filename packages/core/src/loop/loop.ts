// The agent loop: ask the model, run its tools, until it has nothing more to do.
import type {
  ModelConnection,
  ModelFailure,
  SessionRecordOf,
  ToolCallPart,
  ToolDefinition,
  Usage,
  UserMessage,
} from "@codelia/shared-types";
import { type CompactionPolicy, ContextKeeper } from "../compaction/index.ts";
import type { PrefixMessage } from "../context/index.ts";
import type { EmitEvent } from "../events/index.ts";
import { collectResponse, type Response } from "../response/index.ts";
import { leaveOutImages, type SessionLog, suspectedImages } from "../session/index.ts";
import type { Tool } from "../tools/index.ts";
import { Meter } from "./meter.ts";
import { runToolCalls, type ToolSeams } from "./tool-calls.ts";

export interface LoopLimits {
  readonly maxTurns?: number;
  readonly maxCostUsd?: number;
}

export interface LoopOptions {
  readonly connection: ModelConnection;
  /** Fixed for the session. */
  readonly prefix: readonly PrefixMessage[];
  readonly toolDefinitions: readonly ToolDefinition[];
  readonly tools: ReadonlyMap<string, Tool>;
  /** What was said before; grows as the run goes on. */
  readonly log: SessionLog;
  readonly seams: ToolSeams;
  readonly compaction: CompactionPolicy;
  readonly limits: LoopLimits;
  readonly costOf: (usage: Usage) => number | undefined;
  /** What the model is told along with a message of the user: skills that it names. */
  readonly accompany: (message: UserMessage) => Promise<readonly SessionRecordOf<"reminder">[]>;
  /** Messages that arrived while the run works; taken before each request. */
  readonly takeSteering: () => UserMessage[];
  readonly cacheKey: string;
  readonly signal: AbortSignal;
  readonly emit: EmitEvent;
}

type Limit = "turns" | "cost" | "output" | "context";

export type RunOutcome =
  | { readonly status: "done" }
  | { readonly status: "failed"; readonly failure: ModelFailure }
  | { readonly status: "limit"; readonly limit: Limit; readonly message: string }
  | { readonly status: "interrupted" };

export interface RunResult {
  readonly outcome: RunOutcome;
  /** The text of the last response. */
  readonly text: string;
  readonly turns: number;
  readonly usage: Usage;
  /** Unknown when the model's price is. */
  readonly costUsd: number | undefined;
}

/**
 * @input  prompt: the user's message; undefined: the conversation goes on where it ended, its open calls are run first
 * @output how the run ended; failures are values
 * @effects requests, tool effects as decided by the seams; every event is appended before it counts
 * @error  only what the log throws: a history that cannot be kept ends the run
 */
export async function runLoop(prompt: UserMessage | undefined, options: LoopOptions): Promise<RunResult> {
  const run = new Run(options);
  const outcome = await run.toItsEnd(prompt);
  await run.takeMessages();
  const { status } = outcome;
  await options.log.append({ type: "run.end", status });
  await options.log.flush();
  return { outcome, text: run.text, turns: run.turns, ...run.meter.totals };
}

const interrupted: RunOutcome = { status: "interrupted" };

class Run {
  readonly #options: LoopOptions;
  readonly #keeper: ContextKeeper;
  readonly meter: Meter;
  turns = 0;
  text = "";

  constructor(options: LoopOptions) {
    const { log, connection, prefix, toolDefinitions, cacheKey, signal, emit, compaction } = options;
    this.#options = options;
    this.meter = new Meter(options.costOf);
    this.#keeper = new ContextKeeper({
      policy: compaction,
      log,
      connection,
      prefix,
      tools: toolDefinitions,
      cacheKey,
      signal,
      emit,
      onUsage: (usage) => this.#count(usage),
    });
  }

  async toItsEnd(prompt: UserMessage | undefined): Promise<RunOutcome> {
    const { log, signal } = this.#options;
    if (prompt === undefined) await runToolCalls(log.conversation.openCalls, this.#options);
    else await this.#say(prompt, false);
    while (true) {
      await this.takeMessages();
      if (signal.aborted) return interrupted;
      const stopped = (await this.#limitReached()) ?? (await this.#makeRoom());
      if (stopped !== undefined) return stopped;

      this.turns += 1;
      const response = await this.#ask();
      if ("failure" in response.outcome) return this.#failed(response, response.outcome.failure);
      const { finish } = response.outcome;
      await log.append({
        type: "message.assistant",
        turn: this.turns,
        message: response.message,
        finish,
        interrupted: false,
        ...(response.usage === undefined ? {} : { usage: response.usage }),
      });
      this.text = assistantText(response);
      if (response.usage === undefined) this.meter.countUnknown();
      else this.#count(response.usage);
      const calls = response.message.content.filter(
        (part): part is ToolCallPart => part.type === "tool_call",
      );
      if (calls.length > 0) {
        await runToolCalls(calls, this.#options);
        continue;
      }
      if (finish === "content_filter") return this.#withheld();
      if (finish === "length")
        return this.#limit("output", "The model's answer was cut at its output limit.");
      if ((await this.takeMessages()) === 0) return { status: "done" };
    }
  }

  /** What was said while the run worked; also at its end, since whoever said it was told that it was heard. */
  async takeMessages(): Promise<number> {
    const messages = this.#options.takeSteering();
    for (const message of messages) await this.#say(message, true);
    return messages.length;
  }

  /** One turn's response; a request that was too large is sent once more, after room was made. */
  async #ask(): Promise<Response> {
    const { emit } = this.#options;
    emit({ type: "turn.started", turn: this.turns });
    const response = await this.#request();
    if (!("failure" in response.outcome)) return response;
    const { kind, message } = response.outcome.failure;
    if (kind === "InvalidRequest") return (await this.#askWithoutImages(message)) ?? response;
    if (kind !== "ContextOverflow" || (await this.#keeper.afterOverflow()) !== "free") return response;
    return this.#request();
  }

  /**
   * A picture that the provider does not take would be in every later request as well, and end the session for good.
   *
   * @output undefined: it is refused without them as well
   */
  async #askWithoutImages(reason: string): Promise<Response | undefined> {
    const { log, emit } = this.#options;
    const { items } = log.conversation;
    for (const seqs of suspectedImages(items)) {
      const messages = leaveOutImages(items, { seqs, reason }).map(({ message }) => message);
      const response = await this.#request(messages);
      const failure = "failure" in response.outcome ? response.outcome.failure : undefined;
      if (failure?.kind === "InvalidRequest") continue;
      if (failure !== undefined) return response;
      await log.append({ type: "images.refused", seqs, reason });
      emit({ type: "images.refused", reason });
      return response;
    }
    return undefined;
  }

  async #request(messages = this.#options.log.conversation.messages): Promise<Response> {
    const { log, prefix, toolDefinitions, connection, cacheKey, signal, emit } = this.#options;
    await log.append({ type: "request", turn: this.turns, messages: messages.length });
    const request = { messages: [...prefix, ...messages], tools: [...toolDefinitions], cacheKey };
    return collectResponse(connection, request, signal, emit);
  }

  async #failed(response: Response, failure: ModelFailure): Promise<RunOutcome> {
    const { log, signal } = this.#options;
    await this.#keepPartial(response);
    if (response.usage !== undefined) this.#count(response.usage);
    if (failure.kind === "Aborted" || signal.aborted) return interrupted;
    await log.append({ type: "request.failed", turn: this.turns, failure });
    return { status: "failed", failure };
  }

  async #withheld(): Promise<RunOutcome> {
    const failure: ModelFailure = {
      kind: "InvalidRequest",
      message: "The provider withheld the answer or the rest of it (content filter).",
      retryable: false,
    };
    await this.#options.log.append({ type: "request.failed", turn: this.turns, failure });
    return { status: "failed", failure };
  }

  /** What was said before the stream broke stays in the history; calls that were not complete do not. */
  async #keepPartial(response: Response): Promise<void> {
    const content = response.message.content.filter((part) => part.type === "text");
    if (content.length === 0) return;
    const message = { role: "assistant" as const, content };
    await this.#options.log.append({
      type: "message.assistant",
      turn: this.turns,
      message,
      interrupted: true,
    });
  }

  async #limitReached(): Promise<RunOutcome | undefined> {
    const { maxTurns, maxCostUsd } = this.#options.limits;
    if (maxTurns !== undefined && this.turns >= maxTurns) {
      return this.#limit("turns", `The limit of ${maxTurns} turns is reached. Raise it with --max-turns.`);
    }
    if (maxCostUsd === undefined) return undefined;
    const { costUsd } = this.meter.totals;
    if (costUsd === undefined) {
      return this.#limit(
        "cost",
        `The provider does not say how many tokens it took, so the limit of ${maxCostUsd} USD cannot be kept. Leave out --max-cost to go on.`,
      );
    }
    if (costUsd >= maxCostUsd) {
      return this.#limit("cost", `The limit of ${maxCostUsd} USD is reached. Raise it with --max-cost.`);
    }
    return undefined;
  }

  async #makeRoom(): Promise<RunOutcome | undefined> {
    const room = await this.#keeper.beforeRequest();
    if (room === "free") return undefined;
    if (room === "aborted") return interrupted;
    const window = this.#options.connection.contextWindow;
    return this.#limit(
      "context",
      `The context is full: the next request takes about ${this.#keeper.nextRequest()} of ${window} tokens, and --no-compact was given. Go on with compaction by leaving that out.`,
    );
  }

  async #limit(limit: Limit, message: string): Promise<RunOutcome> {
    await this.#options.log.append({ type: "limit", limit, message });
    return { status: "limit", limit, message };
  }

  async #say(message: UserMessage, steering: boolean): Promise<void> {
    const { log, emit, accompany } = this.#options;
    await log.append({ type: "message.user", message, steering });
    emit({ type: "user.message", text: userText(message), steering });
    for (const reminder of await accompany(message)) await log.append(reminder);
  }

  #count(usage: Usage): void {
    this.meter.count(usage);
    const { usage: total, costUsd } = this.meter.totals;
    this.#options.emit({ type: "usage", turn: this.turns, usage, total, costUsd });
  }
}

function assistantText({ message }: Response): string {
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function userText({ content }: UserMessage): string {
  return content.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n");
}
