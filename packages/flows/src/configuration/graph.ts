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

/** Of a step, what decides where the flow goes. */
export type StepWays = { readonly [K in "onPass" | "onFail" | "onExhausted"]?: FlowStep[K] | undefined };

/** Every way that the flow can take from a step. A retry leads nowhere else. */
export function waysFrom(step: StepWays): Way[] {
  return [
    ...(step.onPass === undefined ? [] : transitionWays(step.onPass, ["onPass"])),
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

/** Steps that a walk came to. */
export interface Reached {
  has(id: string): boolean;
}

type Ways = readonly (readonly number[])[];

/** The steps by number, so that a flow of thousands can be walked through once for each of them. */
export class Graph {
  readonly #ids: readonly string[];
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #after: Ways;
  readonly #before: Ways;

  constructor(steps: ReadonlyMap<string, StepWays>) {
    this.#ids = [...steps.keys(), end];
    this.#numbers = new Map(this.#ids.map((id, number) => [id, number]));
    const after = [...steps.values()].map((step) => [
      ...new Set(waysFrom(step).flatMap(({ to }) => this.#numbers.get(to) ?? [])),
    ]);
    const before = this.#ids.map((): number[] => []);
    for (const [from, targets] of after.entries()) for (const to of targets) before[to]?.push(from);
    this.#after = after;
    this.#before = before;
  }

  has(id: string): boolean {
    return id !== end && this.#numbers.has(id);
  }

  /** What the flow can come to from this step, itself included. */
  reachable(from: string): Reached {
    return this.#walk([this.#number(from)], this.#after);
  }

  /** What the flow can have passed when it comes to `to` for the first time. */
  passedBefore(entry: string, to: string): Reached {
    return this.#walk(entry === to ? [] : [this.#number(entry)], this.#after, this.#number(to));
  }

  /** What leads to this step by one way or more. */
  leadingTo(to: string): Reached {
    return this.#walk(this.#before[this.#number(to)] ?? [], this.#before);
  }

  /** This step and the first ones that the flow comes to from it. */
  nearest(from: string, count: number): string[] {
    const found = new Set([this.#number(from)]);
    for (const at of found) {
      if (found.size >= count) break;
      for (const next of this.#after[at] ?? []) found.add(next);
    }
    return [...found].slice(0, count).map((number) => this.#ids[number] ?? "");
  }

  #number(id: string): number {
    return this.#numbers.get(id) ?? -1;
  }

  #walk(starts: readonly number[], ways: Ways, avoiding = -1): Reached {
    const seen = new Uint8Array(this.#ids.length);
    const waiting = [...starts];
    for (const start of starts) seen[start] = 1;
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      for (const next of ways[at] ?? []) {
        if (next === avoiding || seen[next] === 1) continue;
        seen[next] = 1;
        waiting.push(next);
      }
    }
    return { has: (id) => seen[this.#number(id)] === 1 };
  }
}
