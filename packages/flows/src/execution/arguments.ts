// The values that a run is given for the flow's parameters.
import type { FlowDefinition } from "@codelia/shared-types";
import { ConfigurationError } from "../error.ts";

/**
 * @input  args: what the run was given
 * @output the value of every parameter that has one
 * @error  ConfigurationError BadArguments, with all that is wrong
 */
export function completeArguments(
  parameters: NonNullable<FlowDefinition["parameters"]>,
  args: Readonly<Record<string, string>>,
): Record<string, string> {
  const known = Object.keys(parameters);
  const unknown = Object.keys(args).filter((name) => !known.includes(name));
  const complete: [string, string][] = [];
  const missing: string[] = [];
  for (const [name, { required, default: value }] of Object.entries(parameters)) {
    const given = Object.hasOwn(args, name) ? args[name] : value;
    if (given !== undefined) complete.push([name, given]);
    else if (required !== false) missing.push(name);
  }
  if (unknown.length === 0 && missing.length === 0) return Object.fromEntries(complete);
  const problems = [
    ...missing.map((name) => `the parameter "${name}" is missing`),
    ...unknown.map((name) => `there is no parameter "${name}"`),
  ];
  const list = known.length === 0 ? "none" : known.join(", ");
  throw new ConfigurationError(
    "BadArguments",
    `${problems.join("; ")}. The flow has these parameters: ${list}.`,
  );
}
