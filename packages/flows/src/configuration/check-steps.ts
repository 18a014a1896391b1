// Checks of each step by itself: names, outputs, transitions. The ways between steps are looked at elsewhere.
import { identifierPattern, type OutputField, type Transition } from "@codelia/shared-types";
import { outputFields, typeName } from "../handoff/index.ts";
import { skipTarget } from "../judgment/index.ts";
import { end, waysFrom } from "./graph.ts";
import { type Finding, meant } from "./problem.ts";
import type { ReadStep } from "./read-definition.ts";

export type Steps = ReadonlyMap<string, ReadStep>;

type StepParts = ReadStep["parts"];

export function checkSteps(steps: Steps): Finding[] {
  return [...steps].flatMap(([id, { parts, isUnclear }]) =>
    [
      ...outputFindings(id, parts),
      ...targetFindings(steps, parts),
      ...(isUnclear("output") ? [] : [...branchFindings(parts), ...checkFindings(parts)]),
      ...exhaustedFindings(parts),
    ].map((finding) => ({ ...finding, path: ["steps", id, ...finding.path] })),
  );
}

function outputFindings(id: string, { output }: StepParts): Finding[] {
  if (output === undefined) return [];
  const { $namespace = id } = output;
  const namespace: Finding[] =
    $namespace === id
      ? []
      : [
          {
            path: ["output", "$namespace"],
            code: "WrongNamespace",
            message: `expected the step's id "${id}", found "${$namespace}"`,
            fix: "Write the step's id, or leave it out.",
          },
        ];
  return [...namespace, ...outputFields(output).flatMap(([key, field]) => fieldFindings(key, field))];
}

function fieldFindings(key: string, field: OutputField): Finding[] {
  const path = ["output", key];
  const findings: Finding[] = [];
  if (!identifierPattern.test(key)) {
    findings.push({
      path,
      isKey: true,
      code: "WrongName",
      message: `"${key}" cannot be part of a variable's name`,
      fix: "Use letters, digits, _ and -, beginning with a letter.",
    });
  }
  if (field.default === undefined) return findings;
  if (field.required !== false) {
    findings.push({
      path: [...path, "default"],
      isKey: true,
      code: "UnusedDefault",
      message: "a field that is required never takes its default",
      fix: 'Write "required": false beside it, or remove it.',
    });
  }
  if (typeName(field.default) !== field.type) {
    findings.push({
      path: [...path, "default"],
      code: "WrongDefault",
      message: `expected a value of type ${field.type}, found ${typeName(field.default)}`,
      fix: "Write a default of that type.",
    });
  }
  return findings;
}

function targetFindings(steps: Steps, step: StepParts): Finding[] {
  return waysFrom(step)
    .filter(({ to }) => to !== end && !steps.has(to))
    .map(({ to, path }) => unknownStep(steps, to, path));
}

export function unknownStep(steps: Steps, id: string, path: Finding["path"]): Finding {
  // Looked through anew each time: an iterator of the keys can be used once.
  const fix = meant(id, { [Symbol.iterator]: () => steps.keys() }, steps.size);
  return { path, code: "UnknownStep", message: `there is no step "${id}"`, fix };
}

function branchFindings({ output = {}, onPass, onFail }: StepParts): Finding[] {
  const fields = new Map(outputFields(output));
  const check = (transition: Transition | undefined, name: string): Finding[] => {
    const on = transition?.branch?.on;
    if (on === undefined) return [];
    const type = fields.get(on)?.type;
    if (type === "string" || type === "number" || type === "boolean") return [];
    const message =
      type === undefined
        ? `the step's output has no field "${on}"`
        : `"${on}" is of type ${type}, which has no cases`;
    const fix = "Name a string, number or boolean of the step's output.";
    return [{ path: [name, "branch", "on"], code: "WrongBranch", message, fix }];
  };
  return [...check(onPass, "onPass"), ...check(onFail, "onFail")];
}

function exhaustedFindings({ onPass, onExhausted }: StepParts): Finding[] {
  if (onExhausted !== "skip" || onPass === undefined || skipTarget(onPass) !== undefined) return [];
  return [
    {
      path: ["onExhausted"],
      code: "NothingToSkipTo",
      message:
        "a step that never passed cannot complete the flow, and its onPass names no step to go on with",
      fix: 'Write "error", or {"fallback": "step"}.',
    },
  ];
}

function checkFindings({ check, output }: StepParts): Finding[] {
  if (check?.type !== "schema" || output !== undefined) return [];
  const message = "a schema check needs an output to hold the answer against";
  return [{ path: ["check"], code: "NothingToCheck", message, fix: 'Write "output", or remove the check.' }];
}
