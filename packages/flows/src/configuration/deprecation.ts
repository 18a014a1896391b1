// Fields that are on their way out, as a table: a warning for the rest of the major version, an error in the next one,
// unknown in the one after.
import type { Finding, JsonPath } from "./problem.ts";
import { currentVersion, parseVersion, type Version, versionText } from "./version.ts";

export interface Deprecation {
  readonly file: "agent" | "steps";
  /** The key's path; `*` stands for any key or index. */
  readonly path: readonly string[];
  /** The version that deprecated it. */
  readonly since: string;
  /** The key that takes its place beside it; without one the value goes. */
  readonly renamedTo?: string;
  /** In words. */
  readonly reason: string;
}

/** Nothing yet: 1.0 is the first version. */
export const deprecations: readonly Deprecation[] = [];

export type DeprecationPhase = "not_yet" | "warning" | "error" | "removed";

export function deprecationPhase(since: Version, current: Version = currentVersion): DeprecationPhase {
  if (current.major < since.major || (current.major === since.major && current.minor < since.minor))
    return "not_yet";
  if (current.major === since.major) return "warning";
  return current.major === since.major + 1 ? "error" : "removed";
}

export interface DeprecationReport {
  readonly warnings: Finding[];
  readonly errors: Finding[];
  /** The value as the program's schemas know it. */
  readonly value: unknown;
}

export interface DeprecationOptions {
  readonly table: readonly Deprecation[];
  readonly current: Version;
}

/**
 * @input  value: a parsed file
 * @output what is deprecated in it, and the value with warned-of keys already rewritten
 * @effects none; the value stays as it is
 */
export function applyDeprecations(
  file: Deprecation["file"],
  value: unknown,
  { table, current }: DeprecationOptions,
): DeprecationReport {
  const warnings: Finding[] = [];
  const errors: Finding[] = [];
  let rewritten = value;
  for (const entry of table.filter((each) => each.file === file || (file === "agent" && isOfSteps(each)))) {
    const since = parseVersion(entry.since);
    const phase = since === undefined ? "not_yet" : deprecationPhase(since, current);
    if (since === undefined || phase === "not_yet" || phase === "removed") continue;
    const found = pathsOf(value, entry.path);
    (phase === "warning" ? warnings : errors).push(...found.map((path) => finding(entry, path, since)));
    // An error is told once, as what it is; the schema would call the key unknown besides.
    for (const path of found) rewritten = withoutDeprecated(rewritten, path, entry.renamedTo);
  }
  return { warnings, errors, value: rewritten };
}

/** Steps may stand in agent.json as well. */
function isOfSteps({ file, path }: Deprecation): boolean {
  return file === "steps" && path[0] === "steps";
}

/** As `codelia agent migrate` writes it. @output the value without what is deprecated by `current` */
export function migrate(file: Deprecation["file"], value: unknown, options: DeprecationOptions): unknown {
  return applyDeprecations(file, value, options).value;
}

function finding({ renamedTo, reason }: Deprecation, path: JsonPath, since: Version): Finding {
  return {
    path,
    isKey: true,
    code: "Deprecated",
    message: `deprecated since version ${versionText(since)}: ${reason}`,
    fix: renamedTo === undefined ? "Remove it." : `Write "${renamedTo}" instead.`,
  };
}

function pathsOf(value: unknown, pattern: readonly string[], path: JsonPath = []): JsonPath[] {
  const [first, ...rest] = pattern;
  if (first === undefined) return [path];
  if (typeof value !== "object" || value === null) return [];
  const entries = Object.entries(value).filter(([key]) => first === "*" || key === first);
  return entries.flatMap(([key, child]) =>
    pathsOf(child, rest, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

function withoutDeprecated(value: unknown, path: JsonPath, renamedTo: string | undefined): unknown {
  const [first, ...rest] = path;
  if (Array.isArray(value)) {
    return value.map((each: unknown, index) =>
      index === first ? withoutDeprecated(each, rest, renamedTo) : each,
    );
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, child]): [string, unknown][] => {
      if (key !== first) return [[key, child]];
      if (rest.length > 0) return [[key, withoutDeprecated(child, rest, renamedTo)]];
      return renamedTo === undefined || Object.hasOwn(value, renamedTo) ? [] : [[renamedTo, child]];
    }),
  );
}
