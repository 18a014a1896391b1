// What a run of a flow tells while it works, and how it ended.
import { addedUsage, noUsage } from "@codelia/core";
import type { Channel, FlowOutcome, FlowWork } from "@codelia/protocol";
import type { AgentResult, FlowRecord } from "@codelia/shared-types";
import type { FlowSurroundings, ReadyFlow } from "../flows/index.ts";
import type { ActiveFlows } from "./active-flows.ts";
import { untilAborted } from "./caller.ts";
import { wireEffect, wireFlowEvent, wireFlowResult } from "./flow-wire.ts";
import { wireEvent, wireUsage } from "./run-events.ts";

type Telling = Pick<FlowSurroundings, "confirm" | "onRecord" | "onIteration" | "onEvent" | "notify">;

/** @input earlier: records of the run from before; what they used counts */
export function flowTelling(channel: Channel, earlier: readonly FlowRecord[] = []): Telling {
  let total = noUsage;
  let cost: number | undefined = 0;
  const count = (record: FlowRecord) => {
    if (record.type !== "iteration") return;
    const { usage, costUsd } = record.summary;
    total = addedUsage(total, usage);
    cost = cost === undefined || costUsd === undefined ? undefined : cost + costUsd;
  };
  const totals = () => ({ total: wireUsage(total), ...(cost === undefined ? {} : { total_cost_usd: cost }) });
  for (const record of earlier) count(record);
  return {
    confirm: (signal) => untilAborted(channel.confirm, signal),
    onRecord: (record) => {
      count(record);
      const event = wireFlowEvent(record, totals);
      if (event !== undefined) channel.emit(event);
    },
    onIteration: (place) => channel.emit({ type: "flow.iteration.started", ...place }),
    onEvent: (event, { session, step, purpose }) =>
      channel.emit({
        type: "flow.activity",
        step,
        purpose,
        session_id: session,
        event: wireEvent(event, false),
      }),
    notify: (text) => channel.emit({ type: "flow.notice", text }),
  };
}

/** A run that could not begin. */
export function unbegunFlow(result: AgentResult, channel: Channel): FlowOutcome {
  const outcome: FlowOutcome = { status: "failed", result: wireFlowResult(result), refused_calls: 0 };
  channel.emit({ type: "flow.finished", ...outcome });
  return outcome;
}

/** @effects those of the run */
export async function flowToItsEnd(
  flows: ActiveFlows,
  id: string,
  ready: ReadyFlow,
  channel: Channel,
): Promise<FlowOutcome> {
  return endedFlow(id, await flows.run(id, ready.execution, channel.signal), ready, channel);
}

/** Of a run on an issue. */
export interface AboutIssue {
  readonly work: FlowWork;
  /** How to go on, where the Result does not say it. */
  readonly hint?: string;
}

/** @input id: undefined when the run came to its end before it was on disk */
export function endedFlow(
  id: string | undefined,
  result: AgentResult,
  ready: Pick<ReadyFlow, "refusedCalls" | "unknown">,
  channel: Channel,
  about?: AboutIssue,
): FlowOutcome {
  const refused = ready.refusedCalls();
  const status = statusOf(result, refused);
  const unknown = ready.unknown();
  const hints = [id === undefined ? undefined : hintFor(status, id, result), about?.hint];
  const hint = hints.filter((each) => each !== undefined).join("\n");
  const outcome: FlowOutcome = {
    ...(id === undefined ? {} : { run_id: id }),
    status,
    result: wireFlowResult(result),
    ...(hint === "" ? {} : { hint }),
    refused_calls: refused,
    ...(about === undefined ? {} : { work: about.work }),
    ...(unknown === undefined ? {} : { indeterminate: wireUnknown(unknown) }),
  };
  channel.emit({ type: "flow.finished", ...outcome });
  return outcome;
}

function wireUnknown({
  intent,
  call,
}: NonNullable<ReturnType<ReadyFlow["unknown"]>>): NonNullable<FlowOutcome["indeterminate"]> {
  return { effect: wireEffect(intent), ...(call === undefined ? {} : { call }) };
}

const limitCodes: readonly string[] = [
  "IterationLimit",
  "VisitLimit",
  "TimeLimit",
  "TokenLimit",
  "CostLimit",
  "CostUnknown",
];

function statusOf({ success, failure }: AgentResult, refusedCalls: number): FlowOutcome["status"] {
  if (success) return "done";
  const code = failure?.code ?? "";
  if (code === "Stopped" || code === "Interrupted") return "interrupted";
  if (code === "IndeterminateEffect") return "indeterminate";
  if (limitCodes.includes(code)) return "limit";
  return refusedCalls > 0 ? "needs_permission" : "failed";
}

function hintFor(status: FlowOutcome["status"], id: string, { failure }: AgentResult): string | undefined {
  if (failure?.code === "Interrupted") return `Go on with: codelia agent resume ${id}`;
  switch (status) {
    case "indeterminate":
      return `Look whether it was done, then: codelia agent resume ${id} --done\nor, to have it done again: codelia agent resume ${id} --repeat`;
    case "needs_permission":
      return "Calls were refused because nobody could be asked. Run in a terminal to be asked, or start with --approval auto-edit (edits) or --approval full (everything).";
    case "done":
    case "failed":
    case "limit":
    case "interrupted":
      return undefined;
  }
}
