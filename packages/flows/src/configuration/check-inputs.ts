// Checks of what steps take from each other: names, rules for what is missing, variables that would collide.
import type { InputSpec, InputVariable } from "@codelia/shared-types";
import { outputFields, parseInputName, uvName } from "../handoff/index.ts";
import { type Steps, unknownStep } from "./check-steps.ts";
import { type Finding, listed } from "./problem.ts";

export function checkInputs(steps: Steps): Finding[] {
  const outputs: Outputs = new Map(
    [...steps].flatMap(([id, { parts, isUnclear }]): [string, Set<string>][] =>
      isUnclear("output") ? [] : [[id, new Set(outputFields(parts.output ?? {}).map(([key]) => key))]],
    ),
  );
  const inputs = [...steps].flatMap(([id, { parts }]) =>
    parts.inputs === undefined
      ? []
      : inputFindings(steps, outputs, parts.inputs).map((each) => ({
          ...each,
          path: ["steps", id, "inputs", ...each.path],
        })),
  );
  return [...inputs, ...collisionFindings(steps)];
}

/** Step id → the keys that it puts out, where they are known. */
type Outputs = ReadonlyMap<string, ReadonlySet<string>>;

function inputFindings(steps: Steps, outputs: Outputs, inputs: InputSpec): Finding[] {
  const { from_step: single, from_steps: several, variables } = inputs;
  const findings: Finding[] = [];
  if (single !== undefined && several !== undefined) {
    const message = "from_step and from_steps are given both";
    findings.push({
      path: ["from_step"],
      isKey: true,
      code: "TwoSources",
      message,
      fix: "Keep one of them.",
    });
  }
  if (single !== undefined && !steps.has(single)) findings.push(unknownStep(steps, single, ["from_step"]));
  for (const [index, id] of (several ?? []).entries()) {
    if (!steps.has(id)) findings.push(unknownStep(steps, id, ["from_steps", index]));
  }
  const named = [...(single === undefined ? [] : [single]), ...(several ?? [])];
  const sources = named.length === 0 ? undefined : new Set(named);
  for (const [name, variable] of Object.entries(variables)) {
    findings.push(...nameFindings(steps, outputs, sources, name), ...ruleFindings(name, variable));
  }
  return findings;
}

function nameFindings(
  steps: Steps,
  outputs: Outputs,
  sources: ReadonlySet<string> | undefined,
  name: string,
): Finding[] {
  const path = ["variables", name];
  const reference = parseInputName(name);
  if (reference === undefined) {
    const message = `"${name}" names no output`;
    return [{ path, isKey: true, code: "BadInputName", message, fix: 'Write "step.key".' }];
  }
  const { step: id, key } = reference;
  if (!steps.has(id)) return [{ ...unknownStep(steps, id, path), isKey: true }];
  const findings: Finding[] = [];
  if (sources !== undefined && !sources.has(id)) {
    const message = `the inputs come from ${listed(sources, sources.size)}, not from "${id}"`;
    const fix = "Name the step in from_steps, or remove the variable.";
    findings.push({ path, isKey: true, code: "WrongSource", message, fix });
  }
  const keys = outputs.get(id);
  if (keys !== undefined && !keys.has(key)) {
    const message = `the step "${id}" puts out no "${key}"`;
    const fix =
      keys.size === 0 ? `Declare it in the output of "${id}".` : `It puts out: ${listed(keys, keys.size)}.`;
    findings.push({ path, isKey: true, code: "UnknownOutput", message, fix });
  }
  return findings;
}

function ruleFindings(name: string, variable: InputVariable): Finding[] {
  if (typeof variable === "boolean") return [];
  const { required = true, onMissing, default: value } = variable;
  const path = ["variables", name, "onMissing"];
  if (onMissing === "default" && value === undefined) {
    const message = "there is no default to use";
    return [{ path, code: "NoDefault", message, fix: 'Write "default" beside it.' }];
  }
  if (onMissing === "error" && !required) {
    const message = "what is not required cannot be an error when it is missing";
    return [{ path, code: "Contradiction", message, fix: 'Write "required": true, or remove "onMissing".' }];
  }
  if (
    value !== undefined &&
    ((onMissing === undefined && required) || onMissing === "error" || onMissing === "skip")
  ) {
    const message = "this default is never used";
    const fix = 'Write "onMissing": "default", or remove it.';
    return [{ path: ["variables", name, "default"], isKey: true, code: "UnusedDefault", message, fix }];
  }
  return [];
}

/** Over the whole flow, so that adding an input later cannot bring a collision. */
function collisionFindings(steps: Steps): Finding[] {
  const first = new Map<string, string>();
  return [...steps].flatMap(([id, { parts }]) =>
    outputFields(parts.output ?? {}).flatMap(([key]): Finding[] => {
      const name = uvName({ step: id, key });
      const other = first.get(name);
      if (other === undefined) {
        first.set(name, `${id}.${key}`);
        return [];
      }
      const message = `"${other}" and "${id}.${key}" would both be {${name}}`;
      const path = ["steps", id, "output", key];
      return [{ path, isKey: true, code: "CollidingVariables", message, fix: "Rename a step or a key." }];
    }),
  );
}
