// A flow as a picture has it: boxes and arrows with words on them, in the order of the definition.
import type { FlowDefinition, FlowStep, Transition } from "@codelia/shared-types";
import { end } from "../configuration/index.ts";
import { canFail, defaultRetries, skipTarget } from "../judgment/index.ts";
import type { EdgeRun, NodeRun, RunSummary } from "./run-marks.ts";
import { describeCheck, describeCompletion } from "./words.ts";

/** Not a step: an id of a step begins with a letter. */
export const start = "(start)";

/** Why the flow goes along an arrow. `condition`: the agent's completion held. */
export type EdgeKind = "start" | "pass" | "fail" | "retry" | "exhausted" | "condition";

export interface GraphNode {
  /** A step's id, `(start)` or `complete`. */
  readonly id: string;
  readonly kind: "start" | "step" | "end";
  readonly description?: string | undefined;
  /** In words, what must hold before the flow goes on. */
  readonly check?: string | undefined;
  readonly run?: NodeRun | undefined;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: EdgeKind;
  /** When it is taken, in words; empty where there is no other way. */
  readonly label: string;
  readonly run?: EdgeRun | undefined;
}

export interface FlowGraph {
  readonly name: string;
  readonly description?: string | undefined;
  /** In words, when a run is complete wherever it is. */
  readonly completion?: string | undefined;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly run?: RunSummary | undefined;
}

/**
 * @input  flow: a definition without errors
 * @output its steps and the ways between them; two ways for the same reason to the same step are one arrow
 * @effects none
 */
export function flowGraph({ name, description, completion, entry, steps }: FlowDefinition): FlowGraph {
  const entries = Object.entries(steps);
  return {
    name,
    description,
    completion: completion && describeCompletion(completion),
    nodes: [
      { id: start, kind: "start" },
      ...entries.map(([id, step]): GraphNode => {
        const check = describeCheck(step);
        return { id, kind: "step", description: step.description, check };
      }),
      { id: end, kind: "end" },
    ],
    edges: [
      { from: start, to: entry, kind: "start", label: "" },
      ...entries.flatMap(([id, step]) => merged(edgesOf(id, step))),
    ],
  };
}

function edgesOf(id: string, step: FlowStep): GraphEdge[] {
  const { onPass, onFail = { retry: true }, onExhausted = "error", retries = defaultRetries } = step;
  const isChecked = canFail(step);
  const edges = transitionEdges(id, onPass, "pass", isChecked ? "pass" : "", retries);
  if (isChecked) edges.push(...transitionEdges(id, onFail, "fail", "fail", retries));
  const target = onExhausted === "skip" ? skipTarget(onPass) : undefined;
  if (target !== undefined) edges.push({ from: id, to: target, kind: "exhausted", label: "skipped" });
  if (typeof onExhausted === "object") {
    edges.push({ from: id, to: onExhausted.fallback, kind: "exhausted", label: "given up" });
  }
  return edges;
}

function transitionEdges(
  from: string,
  { next, retry, fallback, branch }: Transition,
  kind: "pass" | "fail",
  word: string,
  retries: number,
): GraphEdge[] {
  if (retry === true) {
    if (retries === 0) return [];
    const prefix = kind === "pass" ? "pass: " : "";
    return [{ from, to: from, kind: "retry", label: `${prefix}retry, at most ${retries}` }];
  }
  if (branch === undefined) return [{ from, to: next ?? fallback ?? end, kind, label: word }];
  const prefix = kind === "fail" ? "fail, " : "";
  const cases = Object.entries(branch.cases).map(
    ([value, to]): GraphEdge => ({
      from,
      to,
      kind,
      label: `${prefix}${branch.on} = ${value === "" ? '""' : value}`,
    }),
  );
  return [...cases, { from, to: branch.default, kind, label: `${prefix}${branch.on}: otherwise` }];
}

function merged(edges: readonly GraphEdge[]): GraphEdge[] {
  const byWay = new Map<string, GraphEdge>();
  for (const edge of edges) {
    const key = `${edge.kind} ${edge.to}`;
    const other = byWay.get(key);
    const label = other === undefined ? edge.label : `${other.label}; ${edge.label}`;
    byWay.set(key, { ...edge, label });
  }
  return [...byWay.values()];
}
