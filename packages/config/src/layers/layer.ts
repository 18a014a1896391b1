// One layer of settings: values that were parsed, each with its source.
import type { Config, ConfigLayer, ConfigSource } from "@codelia/shared-types";
import { ConfigSchema } from "@codelia/shared-types";
import { ConfigError, type ConfigProblem } from "../error.ts";
import { describeIssue, type SchemaProblem } from "./schema-problems.ts";

export interface SettingEntry {
  /** Dotted: `agents.initial.maxBytes`. */
  readonly key: string;
  readonly value: unknown;
  readonly source: ConfigSource;
}

export interface Layer {
  readonly name: ConfigLayer;
  readonly entries: readonly SettingEntry[];
}

/** Where the value at a path was written. */
export type Locate = (path: readonly PropertyKey[]) => Omit<ConfigSource, "layer">;

/**
 * @input  value: anything
 * @output its entries, each with the source that `locate` gives
 * @error  ConfigError with every problem of the value
 */
export function parseLayer(
  name: ConfigLayer,
  value: unknown,
  locate: Locate,
  locateKey: Locate = locate,
): Layer {
  const parsed = ConfigSchema.safeParse(value);
  if (!parsed.success) {
    const problems = parsed.error.issues.flatMap((issue) => describeIssue(issue, value));
    throw new ConfigError(problems.map((problem) => located(problem, problem.isKey ? locateKey : locate)));
  }
  const { $schema: _, ...settings }: Config = parsed.data;
  return {
    name,
    entries: leaves(settings).map(({ path, value: leaf }) => ({
      key: path.join("."),
      value: leaf,
      source: { layer: name, ...locate(path) },
    })),
  };
}

function located({ path, message }: SchemaProblem, locate: Locate): ConfigProblem {
  const { name = "settings", line, column } = locate(path);
  return {
    name,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    key: path.map(String).join("."),
    message,
  };
}

interface Leaf {
  readonly path: string[];
  readonly value: unknown;
}

// Maps with keys of the user's own: one value each, since a key may hold a dot.
const wholeValues = ["models.providers", "models.prices"];

/** Everything that is not a plain object, with its path. Lists are values; `undefined` is nothing. */
export function leaves(value: unknown, path: string[] = []): Leaf[] {
  if (value === undefined) return [];
  const isLeaf = typeof value !== "object" || value === null || Array.isArray(value);
  if (isLeaf || wholeValues.includes(path.join("."))) return [{ path, value }];
  return Object.entries(value).flatMap(([name, child]) => leaves(child, [...path, name]));
}
