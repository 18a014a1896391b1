// Looks at a definition before it costs anything: everything that is wrong, at once, each with its place.
import { basename } from "node:path";
import type { FlowDefinition, FlowStep } from "@codelia/shared-types";
import { checkGraph } from "./check-graph.ts";
import { checkInputs } from "./check-inputs.ts";
import { checkSteps, unknownStep } from "./check-steps.ts";
import { checkTemplates } from "./check-templates.ts";
import { checkTools, type KnownTools } from "./check-tools.ts";
import { type AgentDefinition, ValidatedDefinition } from "./definition.ts";
import { type DeprecationOptions, deprecations } from "./deprecation.ts";
import { type DefinitionProblem, type Finding, locateFinding, maxProblems } from "./problem.ts";
import { type ReadDefinition, readDefinition } from "./read-definition.ts";
import { currentVersion } from "./version.ts";

export interface ValidationResult {
  readonly valid: boolean;
  readonly errors: readonly DefinitionProblem[];
  /** What is deprecated. */
  readonly warnings: readonly DefinitionProblem[];
  /** For `build`; only when valid. */
  readonly definition?: ValidatedDefinition;
}

export interface ValidateOptions extends Partial<DeprecationOptions> {
  /** The tools that there are; without them their names are not looked at. */
  readonly tools?: KnownTools;
}

/**
 * @input  definition: what `load` returned
 * @output valid ⇔ no errors; errors in the order of the files
 * @effects none
 */
export function validate(
  definition: AgentDefinition,
  { table = deprecations, current = currentVersion, tools }: ValidateOptions = {},
): ValidationResult {
  const read = readDefinition(definition, { table, current });
  const { warnings } = read;
  const toolFindings = tools === undefined ? [] : checkTools(read.steps, tools);
  const errors = bounded(
    [
      ...read.errors,
      ...toolFindings.map((finding) => locateFinding(read.stepsSource, finding)),
      ...semanticProblems(definition, read),
    ].toSorted(byPlace),
  );
  const flow = errors.length === 0 ? flowOf(definition, read) : undefined;
  if (flow === undefined) return { valid: false, errors, warnings };
  return { valid: true, errors, warnings, definition: new ValidatedDefinition(flow) };
}

function bounded(problems: readonly DefinitionProblem[]): readonly DefinitionProblem[] {
  const last = problems[maxProblems - 1];
  if (last === undefined || problems.length === maxProblems) return problems;
  const message = `there are ${problems.length - maxProblems + 1} more problems from here on`;
  const fix = "Mend those above, and validate again.";
  return [...problems.slice(0, maxProblems - 1), { ...last, code: "TooManyProblems", message, fix }];
}

function semanticProblems(definition: AgentDefinition, read: ReadDefinition): DefinitionProblem[] {
  const { agent, steps, stepsSource } = read;
  const { entry: named, completion } = agent.parts;
  const entry = named ?? (agent.isUnclear("entry") ? undefined : steps.keys().next().value);
  const entryFindings = named === undefined || steps.has(named) ? [] : [unknownStep(steps, named, ["entry"])];
  const stepFindings = checkSteps(steps);
  // Ways that are not as they should be, or lead to a step that is not there, are not known.
  const areWaysKnown =
    !stepFindings.some(({ code }) => code === "UnknownStep") &&
    ![...steps.values()].some(({ isUnclear }) => wayNames.some(isUnclear));
  const mayComplete = completion !== undefined || agent.isUnclear("completion");
  const findings: Finding[] = [
    ...stepFindings,
    ...checkInputs(steps),
    ...(areWaysKnown && entry !== undefined && steps.has(entry) ? checkGraph(steps, entry, mayComplete) : []),
  ];
  return [
    ...entryFindings.map((finding) => locateFinding(definition.agent, finding)),
    ...findings.map((finding) => locateFinding(stepsSource, finding)),
    ...checkTemplates(definition, read),
  ];
}

const wayNames = ["onPass", "onFail", "onExhausted"] as const;

function flowOf(
  definition: AgentDefinition,
  { agent, steps, version }: ReadDefinition,
): FlowDefinition | undefined {
  if (agent.whole === undefined) return undefined;
  const entry = agent.whole.entry ?? steps.keys().next().value;
  if (entry === undefined) return undefined;
  const whole = [...steps].flatMap(([id, step]): [string, FlowStep][] =>
    step.whole === undefined ? [] : [[id, step.whole]],
  );
  const { $schema: _, name = basename(definition.directory), ...rest } = structuredClone(agent.whole);
  return {
    ...rest,
    directory: definition.directory,
    name,
    version,
    entry,
    steps: Object.fromEntries(whole.map(([id, step]) => [id, withNamespace(id, structuredClone(step))])),
  };
}

function withNamespace(id: string, step: FlowStep): FlowStep {
  if (step.output === undefined) return step;
  const { $namespace: _, ...fields } = step.output;
  return { ...step, output: { $namespace: id, ...fields } };
}

function byPlace(a: DefinitionProblem, b: DefinitionProblem): number {
  return a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column;
}
