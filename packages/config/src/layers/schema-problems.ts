// Says in words what a value must be, from what the schema objected to.
import { ConfigSchema } from "@codelia/shared-types";
import { z } from "zod";

export interface SchemaProblem {
  readonly path: readonly PropertyKey[];
  /** The problem is about the key itself, not about its value. */
  readonly isKey: boolean;
  readonly message: string;
}

export function describeIssue(issue: z.core.$ZodIssue, value: unknown): SchemaProblem[] {
  const { path } = issue;
  if (issue.code === "unrecognized_keys") {
    const known = knownKeys(path).join(", ");
    return issue.keys.map((key) => ({
      path: [...path, key],
      isKey: true,
      message: `unknown key; known here: ${known}`,
    }));
  }
  return [{ path, isKey: false, message: `${expectation(issue)}, found ${shown(valueAt(value, path))}` }];
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") {
    return `expected ${issue.expected === "int" ? "a whole number" : withArticle(issue.expected)}`;
  }
  if (issue.code === "invalid_value") {
    return `expected one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
  }
  if (issue.code === "too_small" && issue.origin === "string") return "expected a text that is not empty";
  if (issue.code === "too_small") {
    return `expected a number ${issue.inclusive === false ? "greater than" : "of at least"} ${issue.minimum}`;
  }
  return issue.message;
}

function withArticle(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function knownKeys(path: readonly PropertyKey[]): string[] {
  let schema: unknown = ConfigSchema;
  for (const name of path) {
    schema = withoutOptional(schema);
    schema = schema instanceof z.ZodObject ? Reflect.get(schema.shape, name) : undefined;
  }
  schema = withoutOptional(schema);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function withoutOptional(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? schema.unwrap() : schema;
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
