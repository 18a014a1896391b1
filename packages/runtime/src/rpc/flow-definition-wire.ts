// Flow definitions on the wire: inner names (camelCase) become snake_case here.
import type { DefinitionProblem, FlowGraph } from "@codelia/flows";
import type { WireFlowGraph, WireFlowProblem } from "@codelia/protocol";

export function wireFlowProblem(
  { file, pointer, line, column, code, message, fix }: DefinitionProblem,
  severity: WireFlowProblem["severity"],
): WireFlowProblem {
  return { severity, file, pointer, line, column, code, message, fix };
}

interface Amounts {
  readonly elapsedMs: number;
  readonly costUsd?: number | undefined;
}

function wireAmounts({ elapsedMs, costUsd }: Amounts): { elapsed_ms: number; cost_usd?: number } {
  return { elapsed_ms: elapsedMs, ...(costUsd === undefined ? {} : { cost_usd: costUsd }) };
}

export function wireFlowGraph({
  name,
  description,
  completion,
  nodes,
  edges,
  run,
}: FlowGraph): WireFlowGraph {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(completion === undefined ? {} : { completion }),
    nodes: nodes.map((node) => ({
      id: node.id,
      kind: node.kind,
      ...(node.description === undefined ? {} : { description: node.description }),
      ...(node.check === undefined ? {} : { check: node.check }),
      ...(node.run === undefined ? {} : { run: wireNodeRun(node.run) }),
    })),
    edges: edges.map(({ from, to, kind, label, run: taken }) => ({
      from,
      to,
      kind,
      label,
      ...(taken === undefined ? {} : { run: { count: taken.count, ...wireAmounts(taken) } }),
    })),
    ...(run === undefined ? {} : { run: wireRun(run) }),
  };
}

function wireNodeRun(run: NonNullable<FlowGraph["nodes"][number]["run"]>) {
  const { visits, iterations, retries, passed } = run;
  return { visits, iterations, retries, passed, ...wireAmounts(run) };
}

function wireRun(run: NonNullable<FlowGraph["run"]>): NonNullable<WireFlowGraph["run"]> {
  const { id, state, reason, iterations, lastStep } = run;
  return { id, state, reason, iterations, last_step: lastStep, ...wireAmounts(run) };
}
