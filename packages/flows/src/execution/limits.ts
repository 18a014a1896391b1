// Where a run ends although it is not complete: iterations, time, tokens, cost, of the run and of a step.
import type { FlowDefinition, IterationSummary, StepLimits, Usage } from "@codelia/shared-types";
import { ExecutionError } from "../error.ts";

/** The hard cap, when a definition says nothing. */
export const defaultIterations = 100;

const none: Usage = { inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

export interface Totals {
  readonly usage: Usage;
  /** Undefined once one part is unknown. */
  readonly costUsd: number | undefined;
}

export function totalsOf(
  parts: readonly { readonly usage: Usage; readonly costUsd?: number | undefined }[],
): Totals {
  let usage = none;
  let costUsd: number | undefined = 0;
  for (const part of parts) {
    usage = {
      inputTokens: usage.inputTokens + part.usage.inputTokens,
      cachedInputTokens: usage.cachedInputTokens + part.usage.cachedInputTokens,
      cacheWriteTokens: usage.cacheWriteTokens + part.usage.cacheWriteTokens,
      outputTokens: usage.outputTokens + part.usage.outputTokens,
    };
    costUsd = costUsd === undefined || part.costUsd === undefined ? undefined : costUsd + part.costUsd;
  }
  return { usage, costUsd };
}

/**
 * Asked before each iteration.
 *
 * @error ExecutionError IterationLimit, TimeLimit, TokenLimit, CostLimit, CostUnknown
 */
export function requireWithinLimits(
  flow: FlowDefinition,
  step: string,
  summaries: readonly IterationSummary[],
  elapsedMs: number,
): void {
  const { limits = {} } = flow;
  const whole = { what: "The run", step: undefined, hint: "limits" };
  requireIterations(whole, summaries.length, limits.iterations ?? defaultIterations);
  if (limits.timeMs !== undefined && elapsedMs >= limits.timeMs) throw timeLimit(limits.timeMs);
  requireUsage(whole, summaries, limits);

  const own = Object.hasOwn(flow.steps, step) ? (flow.steps[step]?.limits ?? {}) : {};
  const ofStep = summaries.filter((summary) => summary.step === step);
  const part = { what: `The step "${step}"`, step, hint: `steps.${step}.limits` };
  if (own.iterations !== undefined) requireIterations(part, ofStep.length, own.iterations);
  requireUsage(part, ofStep, own);
}

export function timeLimit(ms: number): ExecutionError {
  return new ExecutionError(
    "TimeLimit",
    `The run has taken ${ms} ms, which is its limit. Raise limits.timeMs.`,
  );
}

interface Bounded {
  readonly what: string;
  readonly step: string | undefined;
  readonly hint: string;
}

function requireIterations({ what, step, hint }: Bounded, done: number, most: number): void {
  if (done < most) return;
  throw new ExecutionError(
    "IterationLimit",
    `${what} is not complete after ${most} iterations, which is its limit. Raise ${hint}.iterations, or mend the flow.`,
    { step },
  );
}

function requireUsage(
  { what, step, hint }: Bounded,
  summaries: readonly IterationSummary[],
  { tokens, costUsd: most }: Pick<StepLimits, "tokens" | "costUsd">,
): void {
  const { usage, costUsd } = totalsOf(summaries);
  const used = usage.inputTokens + usage.outputTokens;
  if (tokens !== undefined && used >= tokens) {
    const message = `${what} has used ${used} tokens of ${tokens}. Raise ${hint}.tokens.`;
    throw new ExecutionError("TokenLimit", message, { step });
  }
  if (most === undefined) return;
  if (costUsd === undefined) {
    const message = `${what} has a limit of ${most} USD, but the model's price is not known. Set it, or remove ${hint}.costUsd.`;
    throw new ExecutionError("CostUnknown", message, { step });
  }
  if (costUsd >= most) {
    const message = `${what} has cost ${costUsd} USD of ${most}. Raise ${hint}.costUsd.`;
    throw new ExecutionError("CostLimit", message, { step });
  }
}
