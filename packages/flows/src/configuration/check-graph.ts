// Checks of the flow as a whole: every step is reached, every way can end, and every input can be there in time.
import type { InputSpec } from "@codelia/shared-types";
import { inputReferences, whenMissing } from "../handoff/index.ts";
import type { Steps } from "./check-steps.ts";
import { end, Graph } from "./graph.ts";
import type { Finding } from "./problem.ts";

/** So many steps of a cycle are named. */
const namedSteps = 8;

/** @input mayComplete: a completion condition is a way out of every step */
export function checkGraph(steps: Steps, entry: string, mayComplete: boolean): Finding[] {
  const graph = new Graph(new Map([...steps].map(([id, { parts }]) => [id, parts])));
  const reached = graph.reachable(entry);
  const canEnd = graph.leadingTo(end);
  return [...steps].flatMap(([id, { parts }]) => {
    if (!reached.has(id)) return [unreachable(id, entry)];
    const stuck = mayComplete || canEnd.has(id) ? [] : [withoutExit(id, graph)];
    return [...stuck, ...supplyFindings(graph, entry, id, parts.inputs)];
  });
}

function unreachable(id: string, entry: string): Finding {
  const message = `no way leads from "${entry}" to "${id}"`;
  const fix = "Lead a transition there, or remove the step.";
  return { path: ["steps", id], isKey: true, code: "UnreachableStep", message, fix };
}

function withoutExit(id: string, graph: Graph): Finding {
  const near = graph.nearest(id, namedSteps + 1);
  const names = near.slice(0, namedSteps).map((each) => `"${each}"`);
  const others = near.length > namedSteps ? " and others" : "";
  const message = `from "${id}" the flow never ends: it only leads to ${names.join(", ")}${others}`;
  const fix = 'Give one of them {"complete": true}, or the agent a "completion".';
  return { path: ["steps", id], isKey: true, code: "CycleWithoutExit", message, fix };
}

function supplyFindings(graph: Graph, entry: string, id: string, inputs: InputSpec | undefined): Finding[] {
  if (inputs === undefined) return [];
  const before = graph.passedBefore(entry, id);
  const leadsHere = graph.leadingTo(id);
  return inputReferences(inputs).flatMap(({ name, step }): Finding[] => {
    if (!graph.has(step)) return [];
    const isNeeded = whenMissing(inputs.variables[name] ?? true).action === "error";
    const canSupply = leadsHere.has(step) && (!isNeeded || before.has(step));
    if (canSupply) return [];
    const message = `no way that leads here passes "${step}" before`;
    const fix = isNeeded
      ? "Take it from an earlier step, or make it optional."
      : "Take it from an earlier step.";
    const path = ["steps", id, "inputs", "variables", name];
    return [{ path, isKey: true, code: "InputNeverSupplied", message, fix }];
  });
}
