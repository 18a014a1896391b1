// Checks, conditions and amounts in the few words that fit into a picture.
import type { CompletionSpec, FlowStep } from "@codelia/shared-types";
import { referenceName } from "../connection/index.ts";

export function describeCheck({ check }: FlowStep): string | undefined {
  switch (check?.type) {
    case undefined:
      return undefined;
    case "schema":
      return check.strict === true ? "output, strict" : "output";
    case "command":
      return `$ ${check.command.join(" ")}`;
    case "prompt":
      return `judged by ${referenceName(check.prompt)}`;
  }
}

export function describeCompletion(spec: CompletionSpec): string {
  switch (spec.type) {
    case "iterationBudget":
      return `${spec.iterations} iterations`;
    case "keywordSignal":
      return `the model says ${spec.keyword}`;
    case "composite": {
      const parts = spec.conditions.map((each) =>
        each.type === "composite" ? `(${describeCompletion(each)})` : describeCompletion(each),
      );
      return parts.join(spec.mode === "any" ? " or " : " and ");
    }
  }
}

export function describeTime(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;
}

export function describeCost(usd: number): string {
  return `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}

/** Time and cost; an unknown cost is left out. */
export function describeAmounts({
  elapsedMs,
  costUsd,
}: {
  readonly elapsedMs: number;
  readonly costUsd?: number | undefined;
}): string[] {
  return [describeTime(elapsedMs), ...(costUsd === undefined ? [] : [describeCost(costUsd)])];
}
