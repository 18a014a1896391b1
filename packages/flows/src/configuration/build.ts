// From a definition to something that runs: a new run, or one that was begun before.
import {
  type FlowDefinition,
  type FlowRecord,
  FlowRecordSchema,
  type RunLimits,
} from "@codelia/shared-types";
import { ConfigurationError } from "../error.ts";
import { type Dependencies, Execution, foldRecords } from "../execution/index.ts";
import { ValidatedDefinition } from "./definition.ts";

export interface BuildOptions {
  /** The user's own: of two limits the lower one counts. */
  readonly limits?: RunLimits;
}

/**
 * @input  definition: from a `validate` without errors; dependencies: what the run reaches the outside with
 * @output a run that can be started
 * @effects makes the objects that the run needs
 * @error  ConfigurationError DependencyError: the flow needs something that was not given
 */
export function build(
  definition: ValidatedDefinition,
  dependencies: Dependencies,
  { limits }: BuildOptions = {},
): Execution {
  requireDependencies(definition, dependencies);
  return new Execution(limited(definition.flow, limits), dependencies);
}

/**
 * @input  records: of a run's journal, in order; dependencies: with the same journal, open for writing
 * @output the run, started: `run` goes on where it ended, with the definition that it began with
 * @effects none
 * @error  ConfigurationError NoRun: the records begin no run, or are not of this format; DependencyError
 */
export function resume(records: readonly unknown[], dependencies: Dependencies): Execution {
  const history = foldRecords(records.map(parsedRecord));
  if (history === undefined) throw noRun("it does not begin with the start of a run");
  const definition = new ValidatedDefinition(history.start.definition);
  requireDependencies(definition, dependencies);
  return new Execution(definition.flow, dependencies, history);
}

function limited(flow: FlowDefinition, limits: RunLimits = {}): FlowDefinition {
  const own = flow.limits ?? {};
  const both: RunLimits = { ...own };
  for (const name of ["iterations", "visits", "timeMs", "tokens", "costUsd"] as const) {
    const limit = limits[name];
    if (limit !== undefined) both[name] = Math.min(limit, own[name] ?? limit);
  }
  return Object.keys(limits).length === 0 ? flow : { ...flow, limits: both };
}

function parsedRecord(record: unknown, index: number): FlowRecord {
  const parsed = FlowRecordSchema.safeParse(record);
  if (parsed.success) return parsed.data;
  throw noRun(`record ${index + 1} is not of this format`);
}

function noRun(reason: string): ConfigurationError {
  return new ConfigurationError("NoRun", `This journal holds no run that can go on: ${reason}.`);
}

function requireDependencies({ flow }: ValidatedDefinition, { commands }: Dependencies): void {
  const steps = Object.entries(flow.steps).filter(([, { check }]) => check?.type === "command");
  const [first] = steps;
  if (first === undefined || commands !== undefined) return;
  throw new ConfigurationError(
    "DependencyError",
    `The step "${first[0]}" is checked by a command, and there is nothing to run commands with.`,
    { step: first[0] },
  );
}
