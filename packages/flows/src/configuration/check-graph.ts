// Checks of the flow as a whole: every step is reached, every way can end, and every input can be there in time.
import type { AgentFile, FlowStep } from "@codelia/shared-types";
import { inputReferences, whenMissing } from "../handoff/index.ts";
import { end, type Graph, graphOf, reachable } from "./graph.ts";
import type { Finding } from "./problem.ts";

export function checkGraph(
  steps: ReadonlyMap<string, FlowStep>,
  entry: string,
  completion: AgentFile["completion"],
): Finding[] {
  const graph = graphOf(steps);
  const reached = reachable(graph, [entry]);
  return [...steps].flatMap(([id, step]) => {
    if (!reached.has(id)) return [unreachable(id, entry)];
    // A completion condition is a way out of every step.
    const stuck =
      completion === undefined && !reachable(graph, [id]).has(end) ? [withoutExit(id, graph)] : [];
    return [...stuck, ...supplyFindings(graph, entry, id, step)];
  });
}

function unreachable(id: string, entry: string): Finding {
  const message = `no way leads from "${entry}" to "${id}"`;
  const fix = "Lead a transition there, or remove the step.";
  return { path: ["steps", id], isKey: true, code: "UnreachableStep", message, fix };
}

function withoutExit(id: string, graph: Graph): Finding {
  const around = [...reachable(graph, [id])].filter((each) => each !== id);
  const message = `from "${id}" the flow never ends: it only leads to ${[id, ...around].map((each) => `"${each}"`).join(", ")}`;
  const fix = 'Give one of them {"complete": true}, or the agent a "completion".';
  return { path: ["steps", id], isKey: true, code: "CycleWithoutExit", message, fix };
}

function supplyFindings(graph: Graph, entry: string, id: string, { inputs }: FlowStep): Finding[] {
  if (inputs === undefined) return [];
  // The first time that the flow comes here, it has passed none but these.
  const before = reachable(graph, [entry], id);
  const leadsHere = (from: string) => reachable(graph, graph.get(from) ?? []).has(id);
  return inputReferences(inputs).flatMap(({ name, step }): Finding[] => {
    if (!graph.has(step)) return [];
    const variable = inputs.variables[name] ?? true;
    const isNeeded = whenMissing(variable).action === "error";
    const canSupply = isNeeded ? before.has(step) && leadsHere(step) : leadsHere(step);
    if (canSupply) return [];
    const message = `no way that leads here passes "${step}" before`;
    const fix = isNeeded
      ? "Take it from an earlier step, or make it optional."
      : "Take it from an earlier step.";
    const path = ["steps", id, "inputs", "variables", name];
    return [{ path, isKey: true, code: "InputNeverSupplied", message, fix }];
  });
}
