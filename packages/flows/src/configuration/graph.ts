// Where a flow can go: the ways from step to step, and what can be reached along them.
import type { FlowStep, Transition } from "@codelia/shared-types";
import type { JsonPath } from "./problem.ts";

export const end = "complete";

export interface Way {
  /** A step's id, or `complete`. */
  readonly to: string;
  /** Below the step. */
  readonly path: JsonPath;
}

/** Every way that the flow can take from a step. A retry leads nowhere else. */
export function waysFrom(step: FlowStep): Way[] {
  return [
    ...transitionWays(step.onPass, ["onPass"]),
    ...(step.onFail === undefined ? [] : transitionWays(step.onFail, ["onFail"])),
    ...(typeof step.onExhausted === "object"
      ? [{ to: step.onExhausted.fallback, path: ["onExhausted", "fallback"] }]
      : []),
  ];
}

function transitionWays({ next, fallback, complete, branch }: Transition, path: JsonPath): Way[] {
  if (next !== undefined) return [{ to: next, path: [...path, "next"] }];
  if (fallback !== undefined) return [{ to: fallback, path: [...path, "fallback"] }];
  if (complete !== undefined) return [{ to: end, path: [...path, "complete"] }];
  if (branch === undefined) return [];
  const cases = Object.entries(branch.cases).map(([value, to]) => ({
    to,
    path: [...path, "branch", "cases", value],
  }));
  return [...cases, { to: branch.default, path: [...path, "branch", "default"] }];
}

export type Graph = ReadonlyMap<string, readonly string[]>;

export function graphOf(steps: ReadonlyMap<string, FlowStep>): Graph {
  return new Map([...steps].map(([id, step]) => [id, waysFrom(step).map(({ to }) => to)]));
}

/** What can be reached from these, themselves included, without entering `avoiding`. */
export function reachable(graph: Graph, starts: readonly string[], avoiding?: string): Set<string> {
  const found = new Set(starts.filter((start) => start !== avoiding));
  const waiting = [...found];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const next of graph.get(at) ?? []) {
      if (next === avoiding || found.has(next)) continue;
      found.add(next);
      waiting.push(next);
    }
  }
  return found;
}
