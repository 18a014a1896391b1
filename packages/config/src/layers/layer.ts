// One layer of settings: values that were parsed, each with its source.
import type {
  Config,
  ConfigLayer,
  ConfigSource,
  PermissionRule,
  PermissionsConfig,
} from "@codelia/shared-types";
import { ConfigSchema } from "@codelia/shared-types";
import { ConfigError, type ConfigProblem } from "../error.ts";
import { describeIssue, type SchemaProblem } from "./schema-problems.ts";

export interface SettingEntry {
  /** Dotted: `agents.initial.maxBytes`. */
  readonly key: string;
  readonly value: unknown;
  readonly source: ConfigSource;
}

/** A permission rule as a layer gives it. Rules of several layers add up, so each is one of its own. */
export interface RuleEntry {
  /** In its layer: `permissions.deny.0`. */
  readonly key: string;
  readonly effect: "allow" | "deny";
  readonly rule: PermissionRule;
  readonly source: ConfigSource;
  /** Where a part of it was written: `["match", 0]`. */
  placeOf(path: readonly PropertyKey[]): ConfigSource;
}

export interface Layer {
  readonly name: ConfigLayer;
  /** Everything but the permission rules. */
  readonly entries: readonly SettingEntry[];
  readonly rules: readonly RuleEntry[];
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
    const problems = parsed.error.issues.flatMap((issue) => describeIssue(issue, value, ConfigSchema));
    throw new ConfigError(problems.map((problem) => located(problem, problem.isKey ? locateKey : locate)));
  }
  const { $schema: _, permissions = {}, ...settings }: Config = parsed.data;
  const placeOf = (path: readonly PropertyKey[]) => ({ layer: name, ...locate(path) });
  return {
    name,
    entries: leaves(settings).map(({ path, value: leaf }) => ({
      key: path.join("."),
      value: leaf,
      source: placeOf(path),
    })),
    rules: [...rulesOf("deny", permissions, placeOf), ...rulesOf("allow", permissions, placeOf)],
  };
}

function rulesOf(
  effect: RuleEntry["effect"],
  permissions: PermissionsConfig,
  placeOf: RuleEntry["placeOf"],
): RuleEntry[] {
  return (permissions[effect] ?? []).map((rule, index) => {
    const place = ["permissions", effect, index];
    return {
      key: place.join("."),
      effect,
      rule,
      source: placeOf(place),
      placeOf: (path) => placeOf([...place, ...path]),
    };
  });
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

// Maps with keys of the user's own are one value each, since a key may hold a dot; so is a map that may be empty.
const wholeValues = ["models.providers", "models.prices", "tui.keys"];
// Maps whose members are values each: layers add up by name.
const mapsOfWholes = ["mcp.servers"];

/** Everything that is not a plain object, with its path. Lists are values; `undefined` is nothing. */
export function leaves(value: unknown, path: string[] = []): Leaf[] {
  if (value === undefined) return [];
  const isLeaf = typeof value !== "object" || value === null || Array.isArray(value);
  const isWhole = wholeValues.includes(path.join(".")) || mapsOfWholes.includes(path.slice(0, -1).join("."));
  if (isLeaf || isWhole) return [{ path, value }];
  return Object.entries(value).flatMap(([name, child]) => leaves(child, [...path, name]));
}
