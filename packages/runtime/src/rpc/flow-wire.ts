// Results, records and events of flows as they go over the wire.
import type {
  FlowEffectWire,
  FlowEvent,
  FlowFailureWire,
  FlowIterationWire,
  FlowLogEntry,
  FlowResultWire,
} from "@codelia/protocol";
import type {
  AgentResult,
  EffectIntent,
  FlowFailure,
  FlowRecord,
  FlowRecordOf,
  HostOutcome,
  IterationSummary,
} from "@codelia/shared-types";
import { wireUsage } from "./run-events.ts";

export function wireFlowResult(result: AgentResult): FlowResultWire {
  const { success, completionReason, error, iterations, summaries, failure, outputs, usage, costUsd } =
    result;
  return {
    success,
    completion_reason: completionReason,
    ...(error === undefined ? {} : { error }),
    iterations,
    summaries: summaries.map(wireIteration),
    ...(failure === undefined ? {} : { failure: wireFailure(failure) }),
    outputs,
    usage: wireUsage(usage),
    ...wireCost(costUsd),
  };
}

export function wireIteration(summary: IterationSummary): FlowIterationWire {
  const { iteration, step, visit, attempt, session, output, check, error, usage, costUsd, queries } = summary;
  return {
    iteration,
    step,
    visit,
    attempt,
    ...(session === undefined ? {} : { session_id: session }),
    ...(output === undefined ? {} : { output }),
    check,
    ...(error === undefined ? {} : { error: wireFailure(error) }),
    usage: wireUsage(usage),
    ...wireCost(costUsd),
    queries,
    elapsed_ms: summary.elapsedMs,
  };
}

export function wireCost(costUsd: number | undefined): { cost_usd?: number } {
  return costUsd === undefined ? {} : { cost_usd: costUsd };
}

export function wireFailure({ retryAfterMs, ...failure }: FlowFailure): FlowFailureWire {
  return { ...failure, ...(retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }) };
}

export function wireEffect(intent: EffectIntent): FlowEffectWire {
  const { step, iteration } = intent;
  if (intent.kind === "command") return { kind: "command", step, iteration, command: intent.command };
  const { purpose, prompt, session } = intent;
  const rest = session === undefined ? {} : { session_id: session };
  return { kind: "query", purpose, step, iteration, prompt, ...rest };
}

/** @output undefined for what is told otherwise */
export function wireFlowEvent(record: FlowRecord, totals: () => FlowTotals): FlowEvent | undefined {
  switch (record.type) {
    case "effect.intent": {
      const { intent } = record;
      if (intent.kind !== "command") return undefined;
      return { type: "flow.command.started", step: intent.step, command: intent.command };
    }
    case "iteration":
      return { type: "flow.iteration.finished", summary: wireIteration(record.summary), ...totals() };
    case "transition":
      return { ...record, type: "flow.transition" };
    case "host.intent":
      return { type: "flow.host", kind: record.intent.kind, state: "begun" };
    case "host.result":
      return { type: "flow.host", kind: record.intent.kind, ...wireHostOutcome(record.outcome) };
    case "run.start":
    case "effect.result":
    case "effect.decided":
    case "run.end":
    case "work.end":
      return undefined;
  }
}

export type FlowTotals = Pick<
  Extract<FlowEvent, { type: "flow.iteration.finished" }>,
  "total" | "total_cost_usd"
>;

export function wireLogEntry(seq: number, at: string, record: FlowRecord): FlowLogEntry {
  const place = { seq, at };
  switch (record.type) {
    case "run.start": {
      const { definition, cwd, args } = record;
      return {
        ...place,
        type: "started",
        agent: definition.name,
        directory: definition.directory,
        cwd,
        args,
      };
    }
    case "effect.intent":
      return { ...place, type: "effect.begun", number: record.effect, effect: wireEffect(record.intent) };
    case "effect.result":
      return { ...place, type: "effect.ended", number: record.effect, ...wireOutcome(record) };
    case "effect.decided": {
      const { effect, decision, by } = record;
      return { ...place, type: "effect.decided", number: effect, decision, by };
    }
    case "iteration":
      return { ...place, type: "iteration", summary: wireIteration(record.summary) };
    case "transition":
      return { ...place, ...record };
    case "run.end":
      return { ...place, type: "ended", result: wireFlowResult(record.result) };
    case "host.intent":
      return { ...place, type: "host", kind: record.intent.kind, state: "begun" };
    case "host.result":
      return { ...place, type: "host", kind: record.intent.kind, ...wireHostOutcome(record.outcome) };
    case "work.end":
      return { ...place, type: "work.ended" };
  }
}

function wireHostOutcome(outcome: HostOutcome): { state: "done" | "failed"; what?: string } {
  if (outcome.state === "failed") return { state: "failed", what: outcome.failure.message };
  const what = outcome.url ?? outcome.commit;
  return { state: "done", ...(what === undefined ? {} : { what }) };
}

type EndedEffect = Omit<Extract<FlowLogEntry, { type: "effect.ended" }>, "seq" | "at" | "type" | "number">;

function wireOutcome({ outcome, elapsedMs: elapsed_ms }: FlowRecordOf<"effect.result">): EndedEffect {
  switch (outcome.kind) {
    case "query":
      return { text: outcome.result.text, session_id: outcome.result.session, elapsed_ms };
    case "command": {
      const { output, exitCode, timedOut } = outcome.result;
      const exit = exitCode === undefined ? {} : { exit_code: exitCode };
      return { text: output, ...exit, timed_out: timedOut, elapsed_ms };
    }
    case "failed":
      return { text: outcome.failure.message, failure: wireFailure(outcome.failure), elapsed_ms };
  }
}
