// Says in words what a value must be, from what the schema objected to.
import type { z } from "zod";
import { keysAt, literalsAt } from "./schema-places.ts";

export interface SchemaProblem {
  readonly path: readonly PropertyKey[];
  /** The problem is about the key itself, not about its value. */
  readonly isKey: boolean;
  readonly message: string;
}

/**
 * @input  issue: of parsing `value` with `schema`
 * @output what to tell whoever wrote the value; for a choice, about the alternative that was most likely meant
 */
export function describeIssue(issue: z.core.$ZodIssue, value: unknown, schema: z.ZodType): SchemaProblem[] {
  const { path } = issue;
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(schema, value, path).join(", ");
    return issue.keys.map((key) => ({
      path: [...path, key],
      isKey: true,
      message: `unknown key; known here: ${known}`,
    }));
  }
  if (issue.code === "invalid_key") {
    const [reason] = issue.issues;
    return [{ path, isKey: true, message: reason?.message ?? issue.message }];
  }
  const found = shown(valueAt(value, path));
  if (issue.code === "invalid_union") {
    const meant = likelyMeant(issue.errors);
    if (meant !== undefined) {
      return meant.flatMap((each) =>
        describeIssue({ ...each, path: [...path, ...each.path] }, value, schema),
      );
    }
    const values = literalsAt(schema, value, path);
    const expected = values.length > 0 ? listed(values) : alternatives(issue.errors);
    return [{ path, isKey: false, message: `expected ${expected}, found ${found}` }];
  }
  return [{ path, isKey: false, message: `${expectation(issue)}, found ${found}` }];
}

/** The alternative that the value has the type of, with the fewest objections; undefined when it has none's. */
function likelyMeant(errors: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  return errors
    .filter(
      (issues) =>
        issues.length > 0 && !issues.some(({ code, path }) => code === "invalid_type" && path.length === 0),
    )
    .filter((issues) => !issues.every(({ code, path }) => code === "invalid_value" && path.length === 0))
    .toSorted((a, b) => a.length - b.length)[0];
}

function alternatives(errors: readonly z.core.$ZodIssue[][]): string {
  const words = errors.flat().flatMap((issue) => {
    if (issue.code === "invalid_type") return [withArticle(issue.expected)];
    return issue.code === "invalid_value" ? issue.values.map((value) => JSON.stringify(value)) : [];
  });
  return [...new Set(words)].join(" or ");
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") {
    return `expected ${issue.expected === "int" ? "a whole number" : withArticle(issue.expected)}`;
  }
  if (issue.code === "invalid_value") return `expected ${listed(issue.values)}`;
  if (issue.code === "too_small" && issue.origin === "string") return "expected a text that is not empty";
  if (issue.code === "too_small" && issue.origin === "array") return "expected a list that is not empty";
  if (issue.code === "too_small") {
    return `expected a number ${issue.inclusive === false ? "greater than" : "of at least"} ${issue.minimum}`;
  }
  return issue.message;
}

function listed(values: readonly unknown[]): string {
  return `one of ${values.map((value) => JSON.stringify(value)).join(", ")}`;
}

function withArticle(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const name of path) {
    if (typeof current !== "object" || current === null) return undefined;
    current = Reflect.get(current, name);
  }
  return current;
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
