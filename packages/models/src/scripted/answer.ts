// The answer of one turn: its templates filled in, as a sequence of parts.
import { Buffer } from "node:buffer";
import type { StreamPart, Usage } from "@codelia/shared-types";
import { failureOf } from "./failure.ts";
import { estimateTokens, type InputUsage } from "./prompt-cache.ts";
import type { ScriptTurn, ScriptUsage } from "./schema.ts";
import { fillTemplates } from "./template.ts";

interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface Answer {
  readonly reasoning: string;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
}

const defaultChunk = 16;

/**
 * @input  turnNumber: from 1, counts repetitions too, so that ids stay unique in a conversation
 * @error  TemplateError
 */
export function fillTurn(turn: ScriptTurn, turnNumber: number, lastToolOutput: string | undefined): Answer {
  const fill = (text: string) => fillTemplates(text, lastToolOutput);
  return {
    reasoning: turn.reasoning ?? "",
    text: fill(turn.text ?? ""),
    toolCalls: (turn.tool_calls ?? []).map((call, index) => ({
      id: call.id ?? `call_${turnNumber}_${index + 1}`,
      name: call.name,
      arguments:
        typeof call.arguments === "string"
          ? fill(call.arguments)
          : JSON.stringify(call.arguments, (_, value: unknown) =>
              typeof value === "string" ? fill(value) : value,
            ),
    })),
  };
}

/** All parts of the answer; the last, and only the last, is `finish` or `failure`. */
export function* answerParts(
  turn: ScriptTurn,
  turnNumber: number,
  answer: Answer,
  input: InputUsage,
): Generator<StreamPart, void> {
  const chunk = turn.chunk ?? defaultChunk;
  if (turn.error !== undefined) {
    if (turn.error.after === "text") yield* brokenOff(answer, chunk);
    yield failurePart(turn.error, turnNumber);
    return;
  }
  yield* reasoningDeltas(answer, chunk);
  if (answer.reasoning !== "") yield { type: "reasoning_end" };
  yield* textDeltas(answer, chunk);
  if (answer.text !== "") yield { type: "text_end" };
  for (const { id, name, arguments: json } of answer.toolCalls) {
    yield { type: "tool_call_start", id, name };
    for (const delta of pieces(json, chunk)) yield { type: "tool_call_delta", id, delta };
    yield { type: "tool_call", id, name, arguments: json };
  }
  yield { type: "usage", usage: usageOf(answer, input, turn.usage) };
  yield { type: "finish", reason: turn.finish ?? (answer.toolCalls.length > 0 ? "tool_calls" : "stop") };
}

/** The connection breaks before it said that its last text is whole. */
function* brokenOff(answer: Answer, chunk: number): Generator<StreamPart, void> {
  yield* reasoningDeltas(answer, chunk);
  if (answer.reasoning !== "" && answer.text !== "") yield { type: "reasoning_end" };
  yield* textDeltas(answer, chunk);
}

function* reasoningDeltas({ reasoning }: Answer, chunk: number): Generator<StreamPart, void> {
  for (const text of pieces(reasoning, chunk)) yield { type: "reasoning_delta", text };
}

function* textDeltas(answer: Answer, chunk: number): Generator<StreamPart, void> {
  for (const text of pieces(answer.text, chunk)) yield { type: "text_delta", text };
}

/** The text in pieces of so many code points; the last may be shorter. */
function* pieces(text: string, size: number): Generator<string, void> {
  let start = 0;
  while (start < text.length) {
    let end = start;
    for (let taken = 0; taken < size && end < text.length; taken += 1) {
      end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
    }
    yield text.slice(start, end);
    start = end;
  }
}

function failurePart(error: NonNullable<ScriptTurn["error"]>, turnNumber: number): StreamPart {
  const message = error.message ?? `turn ${turnNumber} of the script is a ${error.kind}`;
  return failureOf(error.kind, message, {
    ...(error.status === undefined ? {} : { status: error.status }),
    ...(error.retry_after_ms === undefined ? {} : { retryAfterMs: error.retry_after_ms }),
  });
}

function usageOf({ reasoning, text, toolCalls }: Answer, input: InputUsage, script: ScriptUsage = {}): Usage {
  const written = [reasoning, text, ...toolCalls.flatMap((call) => [call.name, call.arguments])];
  const bytes = written.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  return {
    inputTokens: script.input_tokens ?? input.inputTokens,
    cachedInputTokens: script.cached_input_tokens ?? input.cachedInputTokens,
    cacheWriteTokens: script.cache_write_tokens ?? input.cacheWriteTokens,
    outputTokens: script.output_tokens ?? estimateTokens(bytes),
  };
}
