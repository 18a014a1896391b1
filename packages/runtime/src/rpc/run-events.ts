// A run's events and result as they go over the wire.
import type { AgentEvent, RunResult } from "@codelia/core";
import type { Result, RunEvent, UsageWire } from "@codelia/protocol";
import type { Usage } from "@codelia/shared-types";
import { wireChanges } from "../permissions/index.ts";

export function wireUsage(usage: Usage): UsageWire {
  return {
    input_tokens: usage.inputTokens,
    cached_input_tokens: usage.cachedInputTokens,
    cache_write_tokens: usage.cacheWriteTokens,
    output_tokens: usage.outputTokens,
  };
}

/** @input withFiles: tell the paths of a call, and the texts that it changes */
export function wireEvent(event: AgentEvent, withFiles: boolean): RunEvent {
  switch (event.type) {
    case "turn.started":
    case "user.message":
    case "text.delta":
    case "reasoning.delta":
    case "compaction.started":
    case "compaction.finished":
    case "compaction.failed":
      return event;
    case "images.refused":
      return {
        type: "run.notice",
        text: `Images are left out from now on, because the provider refused them: ${event.reason}`,
      };
    case "turn.restarted":
      return {
        type: event.type,
        attempt: event.attempt,
        reason: event.failure.message,
        delay_ms: event.delayMs,
      };
    case "tool.started":
      return {
        type: event.type,
        call_id: event.callId,
        tool: event.tool,
        title: event.title,
        ...(event.preview === undefined ? {} : { preview: event.preview }),
        ...(withFiles ? { paths: [...event.paths], changes: wireChanges(event.changes) } : {}),
      };
    case "permission.decided":
      return { type: event.type, call_id: event.callId, tool: event.tool, ...event.decision };
    case "tool.finished": {
      const { type, callId, tool, title, output, isError, durationMs } = event;
      return { type, call_id: callId, tool, title, output, is_error: isError, duration_ms: durationMs };
    }
    case "usage":
      return {
        type: event.type,
        turn: event.turn,
        usage: wireUsage(event.usage),
        total: wireUsage(event.total),
        ...(event.costUsd === undefined ? {} : { cost_usd: event.costUsd }),
      };
  }
}

export function wireResult(
  runId: string,
  { outcome, text, turns, usage, costUsd }: RunResult,
  refused: Refused,
): Result<"run.start"> {
  return {
    run_id: runId,
    session_id: runId,
    status: outcome.status === "done" && isRefused(refused) ? "needs_permission" : outcome.status,
    text,
    ...problemOf(outcome, refused),
    turns,
    usage: wireUsage(usage),
    ...(costUsd === undefined ? {} : { cost_usd: costUsd }),
    refused_calls: refused.refusedCalls,
  };
}

/** What was not done because nobody could be asked. */
interface Refused {
  readonly refusedCalls: number;
  readonly refusedServers: number;
}

function isRefused({ refusedCalls, refusedServers }: Refused): boolean {
  return refusedCalls + refusedServers > 0;
}

function problemOf(outcome: RunResult["outcome"], refused: Refused): { error?: string; hint?: string } {
  if (outcome.status === "failed") {
    const { kind, message } = outcome.failure;
    const hint = hints[kind];
    return { error: `${kind}: ${message}`, ...(hint === undefined ? {} : { hint }) };
  }
  if (outcome.status === "limit") return { error: outcome.message };
  const { refusedCalls, refusedServers } = refused;
  if (refusedCalls > 0) {
    return {
      error: `${refusedCalls} tool ${refusedCalls === 1 ? "call was" : "calls were"} refused because nobody could be asked.`,
      hint: "Run in a terminal to be asked, or start with --approval auto-edit (edits) or --approval full (everything).",
    };
  }
  if (refusedServers > 0) {
    return {
      error: `${refusedServers} MCP ${refusedServers === 1 ? "server was" : "servers were"} not used because nobody could be asked.`,
      hint: "Look at it with codelia mcp list, approve it with codelia mcp approve NAME, or set enabled to false. One that the client brought is asked about where the client can ask.",
    };
  }
  return {};
}

const hints: Partial<Record<string, string>> = {
  AuthError: "Check the provider's key: `codelia models` shows which variable it is taken from.",
  ConnectionError: "Check the network and the provider's base URL: `codelia models` shows what is reachable.",
  RateLimitError: "Wait and run the command again, or choose another model with -m.",
  ContextOverflow:
    "Go on without --no-compact, with a smaller task, or with a model that has a larger window (-m).",
  InvalidRequest:
    "Check the model's name (`codelia models` lists what is usable), ask in other words, or choose another model with -m.",
};
