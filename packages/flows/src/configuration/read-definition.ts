// From parsed files to typed parts: everything that the schemas object to, and what can be looked at all the same.
import { describeIssue } from "@codelia/config";
import {
  type AgentFile,
  AgentFileSchema,
  type FlowStep,
  FlowStepSchema,
  StepsFileSchema,
} from "@codelia/shared-types";
import { z } from "zod";
import type { AgentDefinition } from "./definition.ts";
import { applyDeprecations, type DeprecationOptions } from "./deprecation.ts";
import { type DefinitionProblem, type Finding, locateFinding, type SourceDocument } from "./problem.ts";
import { type Readable, readable } from "./readable.ts";
import { assumedVersion, currentVersion, isKnown, parseVersion, versionText } from "./version.ts";

export interface ReadDefinition {
  readonly errors: readonly DefinitionProblem[];
  readonly warnings: readonly DefinitionProblem[];
  /** agent.json without its steps. */
  readonly agent: ReadAgent;
  /** Names of parameters, also where one of them is not as it should be; undefined when they are not known. */
  readonly parameterNames: readonly string[] | undefined;
  /** Where the steps stand. */
  readonly stepsSource: SourceDocument;
  /** In the order of the file. */
  readonly steps: ReadonlyMap<string, ReadStep>;
  readonly version: string;
}

const PartialAgentSchema = AgentFileSchema.omit({ steps: true }).partial();
const PartialStepSchema = FlowStepSchema.partial();

export type ReadAgent = Readable<AgentPart, z.infer<typeof PartialAgentSchema>>;
export type ReadStep = Readable<FlowStep, z.infer<typeof PartialStepSchema>>;

type AgentPart = Omit<AgentFile, "steps">;

// The parts are parsed one by one, so that one wrong step does not hide what is wrong with the others.
const AgentPartSchema = AgentFileSchema.omit({ steps: true }).extend({ steps: z.unknown().optional() });

export function readDefinition(definition: AgentDefinition, options: DeprecationOptions): ReadDefinition {
  const { agent: agentSource, steps: stepsFile } = definition;
  const agentFile = applyDeprecations("agent", agentSource.document.value, options);
  const stepsPart = stepsFile && applyDeprecations("steps", stepsFile.document.value, options);
  const located = (source: SourceDocument | undefined, findings: readonly Finding[] = []) =>
    source === undefined ? [] : findings.map((finding) => locateFinding(source, finding));
  const warnings = [...located(agentSource, agentFile.warnings), ...located(stepsFile, stepsPart?.warnings)];

  const unreadable = [agentFile, ...(stepsPart === undefined ? [] : [stepsPart])].flatMap(
    ({ value }, index) =>
      located(index === 0 ? agentSource : stepsFile, [...versionFindings(value), ...depthFindings(value)]),
  );
  const stepsSource = stepsFile ?? agentSource;
  if (unreadable.length > 0) {
    // Of a language that is not known nothing more can be said.
    const agent = readAgent(undefined);
    const nothing = { agent, parameterNames: undefined, stepsSource, steps: new Map(), version: "" };
    return { errors: unreadable, warnings, ...nothing };
  }

  const parsed = parse(AgentPartSchema, agentFile.value);
  const agent = readAgent(agentFile.value);
  const inAgent = member(agentFile.value, "steps");
  const steps = stepsPart === undefined ? inAgent : member(stepsPart.value, "steps");
  const entries = isObject(steps) ? Object.entries(steps) : [];
  const errors = [
    ...located(agentSource, prototypeFindings(agentFile.value)),
    ...located(stepsFile, stepsPart && prototypeFindings(stepsPart.value)),
    ...located(agentSource, agentFile.errors),
    ...located(stepsFile, stepsPart?.errors),
    ...located(agentSource, parsed.findings),
    ...located(agentSource, placeFindings(stepsFile !== undefined, inAgent)),
    ...located(stepsSource, stepsFindings(stepsPart, steps, options)),
  ];
  return {
    errors,
    warnings,
    agent,
    parameterNames: parameterNames(agentFile.value),
    stepsSource,
    steps: new Map(entries.map(([id, step]) => [id, readable(FlowStepSchema, PartialStepSchema, step)])),
    version: agent.parts.version ?? assumedVersion,
  };
}

function readAgent(value: unknown): ReadAgent {
  const { steps: _, ...own } = isObject(value) ? value : {};
  return readable(AgentFileSchema.omit({ steps: true }), PartialAgentSchema, isObject(value) ? own : value);
}

function parameterNames(agent: unknown): string[] | undefined {
  const parameters = member(agent, "parameters") ?? {};
  return isObject(parameters) ? Object.keys(parameters) : undefined;
}

/** No definition needs more; schemas are recursive, and values nested by the thousand would exhaust the stack. */
const maxDepth = 100;

interface Place {
  readonly value: unknown;
  readonly path: readonly string[];
}

/** Every object and list in it with its path, none deeper than the limit and one level more. */
function* placesIn(value: unknown): Generator<Place & { readonly value: object }, void> {
  const waiting: Place[] = [{ value, path: [] }];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { value: found, path } = at;
    if (typeof found !== "object" || found === null) continue;
    yield { value: found, path };
    if (path.length > maxDepth) continue;
    for (const [key, child] of Object.entries(found)) waiting.push({ value: child, path: [...path, key] });
  }
}

function depthFindings(value: unknown): Finding[] {
  for (const { path } of placesIn(value)) {
    if (path.length <= maxDepth) continue;
    const message = `the values are nested deeper than ${maxDepth} levels`;
    return [{ path: path.slice(0, maxDepth), code: "TooDeep", message, fix: "Nest less." }];
  }
  return [];
}

/** Records leave this key out without a word; a step or a case of that name would be lost. */
function prototypeFindings(value: unknown): Finding[] {
  return [...placesIn(value)].flatMap(({ value: found, path }) =>
    // At the top it is a key that is not known, and is told as such.
    path.length > 0 && Object.hasOwn(found, "__proto__") ? [reservedKey([...path, "__proto__"])] : [],
  );
}

function reservedKey(path: readonly string[]): Finding {
  const message = "this key has a meaning of its own and cannot be a name";
  return { path, isKey: true, code: "ReservedKey", message, fix: "Choose another name." };
}

function stepsFindings(
  stepsPart: { readonly value: unknown } | undefined,
  steps: unknown,
  { current }: DeprecationOptions,
): Finding[] {
  const whole = stepsPart?.value ?? { steps };
  if (stepsPart === undefined && steps === undefined) return [];
  const { findings } = parse(StepsFileSchema, whole);
  if (findings.length > 0 || !isObject(steps) || Object.keys(steps).length > 0) return findings;
  const message = `there are no steps, and a flow of version ${versionText(current)} needs one`;
  return [{ path: ["steps"], code: "NoSteps", message, fix: "Write a step." }];
}

function placeFindings(hasStepsFile: boolean, inAgent: unknown): Finding[] {
  if (hasStepsFile && inAgent !== undefined) {
    const message = "the steps are given twice, here and in steps.json";
    return [{ path: ["steps"], isKey: true, code: "StepsTwice", message, fix: "Keep one of them." }];
  }
  if (hasStepsFile || inAgent !== undefined) return [];
  const message = "there are no steps: neither here nor in steps.json beside this file";
  return [{ path: [], code: "NoSteps", message, fix: 'Write "steps" here, or a steps.json.' }];
}

function versionFindings(value: unknown): Finding[] {
  const written = member(value, "version");
  const version = typeof written === "string" ? parseVersion(written) : undefined;
  if (version === undefined || isKnown(version)) return [];
  return [
    {
      path: ["version"],
      code: "UnknownVersion",
      message: `version ${versionText(version)} is not known to this program, which reads ${currentVersion.major}.x`,
      fix: "Take a newer Codelia, or write the file in a version that this one reads.",
    },
  ];
}

function parse<T>(
  schema: z.ZodType<T>,
  value: unknown,
): { readonly data: T | undefined; readonly findings: Finding[] } {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { data: parsed.data, findings: [] };
  const findings = parsed.error.issues.flatMap((issue) => issueFindings(issue, value, schema));
  return { data: undefined, findings };
}

function issueFindings(issue: z.core.$ZodIssue, value: unknown, schema: z.ZodType): Finding[] {
  return describeIssue(issue, value, schema).map(({ path, isKey, message }) => {
    const isUnknown = isKey && issue.code !== "invalid_key";
    return {
      path,
      isKey,
      code: isUnknown ? "UnknownKey" : "WrongValue",
      message,
      fix: isUnknown ? "Remove it, or spell it as one of the known keys." : "Write what is expected.",
    };
  });
}

function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
