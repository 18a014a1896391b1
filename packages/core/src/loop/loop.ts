// The agent loop: ask the model, run its tools, until it has nothing more to do.
import type {
  Message,
  ModelConnection,
  ModelFailure,
  SessionRecord,
  ToolCallPart,
  ToolDefinition,
  Usage,
  UserMessage,
} from "@codelia/shared-types";
import type { PrefixMessage } from "../context/index.ts";
import type { Tool } from "../tools/index.ts";
import type { EmitEvent } from "./events.ts";
import { collectResponse, type Response } from "./response.ts";
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
  readonly history: Message[];
  readonly append: (record: SessionRecord) => Promise<void>;
  readonly seams: ToolSeams;
  readonly limits: LoopLimits;
  readonly costOf: (usage: Usage) => number | undefined;
  /** Messages that arrived while the run works; taken before each request. */
  readonly takeSteering: () => UserMessage[];
  readonly cacheKey: string;
  readonly signal: AbortSignal;
  readonly emit: EmitEvent;
}

export type RunOutcome =
  | { readonly status: "done" }
  | { readonly status: "failed"; readonly failure: ModelFailure }
  | { readonly status: "limit"; readonly limit: "turns" | "cost" | "output"; readonly message: string }
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

export const noUsage: Usage = { inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

/**
 * @input  prompt: the user's message
 * @output how the run ended; failures are values
 * @effects requests, tool effects as decided by the seams; every event is appended before it counts
 * @error  only what `append` throws: a history that cannot be kept ends the run
 */
export async function runLoop(prompt: UserMessage, options: LoopOptions): Promise<RunResult> {
  const { history, append, emit, signal, limits } = options;
  let usage = noUsage;
  let costUsd: number | undefined = 0;
  let turn = 0;
  let text = "";
  const end = (outcome: RunOutcome): RunResult => ({ outcome, text, turns: turn, usage, costUsd });
  const hitLimit = async (limit: "turns" | "cost" | "output", message: string): Promise<RunResult> => {
    await append({ type: "limit", limit, message });
    return end({ status: "limit", limit, message });
  };
  const say = async (message: UserMessage, steering: boolean): Promise<void> => {
    await append({ type: "message.user", message, steering });
    history.push(message);
    emit({ type: "user.message", text: userText(message), steering });
  };

  await say(prompt, false);
  while (true) {
    for (const message of options.takeSteering()) await say(message, true);
    if (signal.aborted) return end({ status: "interrupted" });
    if (limits.maxTurns !== undefined && turn >= limits.maxTurns) {
      return hitLimit(
        "turns",
        `The limit of ${limits.maxTurns} turns is reached. Raise it with --max-turns.`,
      );
    }
    if (limits.maxCostUsd !== undefined && (costUsd ?? 0) >= limits.maxCostUsd) {
      return hitLimit("cost", `The limit of ${limits.maxCostUsd} USD is reached. Raise it with --max-cost.`);
    }

    turn += 1;
    emit({ type: "turn.started", turn });
    const messages = [...options.prefix, ...history];
    await append({ type: "request", turn, messages: messages.length });
    const request = { messages, tools: [...options.toolDefinitions], cacheKey: options.cacheKey };
    const response = await collectResponse(options.connection, request, signal, emit);
    if (response.usage !== undefined) {
      const cost = options.costOf(response.usage);
      usage = added(usage, response.usage);
      costUsd = cost === undefined || costUsd === undefined ? undefined : costUsd + cost;
      emit({ type: "usage", turn, usage: response.usage, total: usage, costUsd });
    }
    if ("failure" in response.outcome) {
      await keepPartial(turn, response, options);
      const { failure } = response.outcome;
      if (failure.kind === "Aborted") return end({ status: "interrupted" });
      await append({ type: "request.failed", turn, failure });
      return end({ status: "failed", failure });
    }

    const { finish } = response.outcome;
    await append({
      type: "message.assistant",
      turn,
      message: response.message,
      finish,
      interrupted: false,
      ...(response.usage === undefined ? {} : { usage: response.usage }),
    });
    history.push(response.message);
    text = assistantText(response);
    const calls = response.message.content.filter((part): part is ToolCallPart => part.type === "tool_call");
    if (calls.length > 0) {
      history.push(...(await runToolCalls(calls, options)));
      continue;
    }
    if (finish === "length") return hitLimit("output", "The model's answer was cut at its output limit.");
    const steering = options.takeSteering();
    if (steering.length === 0) return end({ status: "done" });
    for (const message of steering) await say(message, true);
  }
}

/** What was said before the stream broke stays in the history; calls that were not complete do not. */
async function keepPartial(
  turn: number,
  response: Response,
  { append, history }: LoopOptions,
): Promise<void> {
  const content = response.message.content.filter((part) => part.type === "text");
  if (content.length === 0) return;
  const message = { role: "assistant" as const, content };
  await append({ type: "message.assistant", turn, message, interrupted: true });
  history.push(message);
}

function assistantText({ message }: Response): string {
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function userText({ content }: UserMessage): string {
  return content.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n");
}

function added(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
}
