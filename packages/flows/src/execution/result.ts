// The end of a run as a Result, with its invariants checked.
import {
  type AgentResult,
  AgentResultSchema,
  type FlowFailure,
  type IterationSummary,
} from "@codelia/shared-types";
import { type AgentError, ExecutionError } from "../error.ts";
import { totalsOf } from "./limits.ts";

export type Ending = { readonly reason: string } | { readonly failure: FlowFailure };

/** @output success ⇒ a reason, failure ⇒ an error, and as many iterations as summaries */
export function agentResult(
  ending: Ending,
  summaries: readonly IterationSummary[],
  outputs: AgentResult["outputs"],
): AgentResult {
  const { usage, costUsd } = totalsOf(summaries);
  const rest = {
    iterations: summaries.length,
    summaries: [...summaries],
    outputs,
    usage,
    ...(costUsd === undefined ? {} : { costUsd }),
  };
  const result: AgentResult =
    "reason" in ending
      ? { success: true, completionReason: ending.reason, ...rest }
      : {
          success: false,
          completionReason: "",
          error: ending.failure.message,
          failure: ending.failure,
          ...rest,
        };
  const checked = AgentResultSchema.safeParse(result);
  return checked.success ? checked.data : brokenInvariant(checked.error.message);
}

/** Of a run that could not begin. */
export function failedResult(error: AgentError): AgentResult {
  return agentResult({ failure: error.toFailure() }, [], {});
}

/** Cannot happen; if it does, the run has not succeeded. */
function brokenInvariant(reason: string): AgentResult {
  const failure = new ExecutionError("InvariantBroken", `This is a defect: ${reason}`).toFailure();
  const { usage } = totalsOf([]);
  return {
    success: false,
    completionReason: "",
    error: failure.message,
    failure,
    iterations: 0,
    summaries: [],
    outputs: {},
    usage,
  };
}
