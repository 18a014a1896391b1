// What a run did, put on the picture of its flow: which ways it took, how often, for how long, at which cost.
import type { FlowDefinition, FlowRecord, IterationSummary } from "@codelia/shared-types";
import { end } from "../configuration/index.ts";
import { moveKind } from "../judgment/index.ts";
import { type EdgeKind, type FlowGraph, flowGraph, type GraphEdge, start } from "./flow-graph.ts";

interface Amounts {
  readonly elapsedMs: number;
  /** Absent once the price of one part is unknown. */
  readonly costUsd?: number | undefined;
}

export interface NodeRun extends Amounts {
  readonly visits: number;
  readonly iterations: number;
  readonly retries: number;
  /** How the last iteration's check ended. */
  readonly passed: boolean;
}

/** Of the iterations that led along it. */
export interface EdgeRun extends Amounts {
  readonly count: number;
}

export interface RunSummary extends Amounts {
  readonly id: string;
  /** `open`: it goes on, or was killed. */
  readonly state: "succeeded" | "failed" | "open";
  /** Why it is complete, or why it failed. */
  readonly reason: string;
  readonly iterations: number;
  /** Where it was last. */
  readonly lastStep: string;
}

/**
 * @input  records: of one run's journal, in order
 * @output the flow that it began with, marked; undefined when they begin no run
 * @effects none
 */
export function runGraph(records: readonly FlowRecord[]): FlowGraph | undefined {
  const [first] = records;
  if (first?.type !== "run.start") return undefined;
  const iterations = iterationsOf(records);
  const taken = takenEdges(records, iterations);
  const graph = flowGraph(first.definition);
  return {
    ...graph,
    nodes: graph.nodes.map((node) => ({ ...node, run: nodeRun(iterations, node.id) })),
    edges: markedEdges(graph.edges, taken),
    run: summary(first.id, first.definition, records, iterations),
  };
}

interface TimedIteration extends IterationSummary {
  /** Of this iteration alone. */
  readonly ownMs: number;
}

function iterationsOf(records: readonly FlowRecord[]): TimedIteration[] {
  let before = 0;
  return records.flatMap((record) => {
    if (record.type !== "iteration") return [];
    const ownMs = Math.max(0, record.summary.elapsedMs - before);
    before = record.summary.elapsedMs;
    return [{ ...record.summary, ownMs }];
  });
}

function amountsOf(iterations: readonly TimedIteration[]): Amounts {
  const costs = iterations.map(({ costUsd }) => costUsd);
  const isKnown = costs.every((cost) => cost !== undefined);
  return {
    elapsedMs: iterations.reduce((sum, { ownMs }) => sum + ownMs, 0),
    costUsd: isKnown ? costs.reduce((sum, cost) => sum + cost, 0) : undefined,
  };
}

function nodeRun(all: readonly TimedIteration[], id: string): NodeRun | undefined {
  const own = all.filter(({ step }) => step === id);
  const last = own.at(-1);
  if (last === undefined) return undefined;
  return {
    visits: last.visit,
    iterations: own.length,
    retries: own.filter(({ attempt }) => attempt > 1).length,
    passed: last.check.passed,
    ...amountsOf(own),
  };
}

interface TakenEdge extends Pick<GraphEdge, "from" | "to" | "kind"> {
  readonly reason: string;
  readonly iterations: TimedIteration[];
}

function takenEdges(
  records: readonly FlowRecord[],
  iterations: readonly TimedIteration[],
): Map<string, TakenEdge> {
  const taken = new Map<string, TakenEdge>();
  const byNumber = new Map(iterations.map((each) => [each.iteration, each]));
  for (const record of records) {
    const iteration = record.type === "transition" ? byNumber.get(record.iteration) : undefined;
    if (record.type !== "transition" || iteration === undefined) continue;
    const { from, to, reason } = record;
    const kind = moveKind(reason) ?? "condition";
    const key = edgeKey({ from, to, kind });
    const edge = taken.get(key) ?? { from, to, kind, reason, iterations: [] };
    edge.iterations.push(iteration);
    taken.set(key, edge);
  }
  return taken;
}

function markedEdges(edges: readonly GraphEdge[], taken: ReadonlyMap<string, TakenEdge>): GraphEdge[] {
  const drawn = new Set(edges.map(edgeKey));
  const isBegun = taken.size > 0;
  const marked = edges.map((edge): GraphEdge => {
    if (edge.from === start) return isBegun ? { ...edge, run: { count: 1, elapsedMs: 0 } } : edge;
    const ways = taken.get(edgeKey(edge));
    return ways === undefined ? edge : { ...edge, run: edgeRun(ways) };
  });
  // A completion condition can end the flow at every step; only the way that was taken is drawn.
  const further = [...taken].flatMap(([key, way]): GraphEdge[] =>
    drawn.has(key)
      ? []
      : [{ from: way.from, to: way.to, kind: way.kind, label: way.reason, run: edgeRun(way) }],
  );
  return [...marked, ...further];
}

function edgeRun({ iterations }: TakenEdge): EdgeRun {
  return { count: iterations.length, ...amountsOf(iterations) };
}

function edgeKey({
  from,
  to,
  kind,
}: {
  readonly from: string;
  readonly to: string;
  readonly kind: EdgeKind;
}) {
  return `${kind} ${from} ${to}`;
}

function summary(
  id: string,
  { entry }: FlowDefinition,
  records: readonly FlowRecord[],
  iterations: readonly TimedIteration[],
): RunSummary {
  const last = records.findLast((record) => record.type === "run.end");
  const result = last?.type === "run.end" ? last.result : undefined;
  return {
    id,
    state: result === undefined ? "open" : result.success ? "succeeded" : "failed",
    reason: result === undefined ? "" : result.success ? result.completionReason : (result.error ?? ""),
    iterations: iterations.length,
    lastStep: result?.failure?.step ?? lastStep(records) ?? entry,
    ...amountsOf(iterations),
  };
}

function lastStep(records: readonly FlowRecord[]): string | undefined {
  const last = records.findLast(
    (record) => record.type === "iteration" || (record.type === "transition" && record.to !== end),
  );
  if (last?.type === "transition") return last.to;
  return last?.type === "iteration" ? last.summary.step : undefined;
}
