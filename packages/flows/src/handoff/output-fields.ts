// The fields that an output schema declares, and what counts as which type.
import type { OutputField, OutputFieldType, OutputSchema } from "@codelia/shared-types";

export function outputFields(schema: OutputSchema): [string, OutputField][] {
  return Object.entries(schema).flatMap(([key, field]): [string, OutputField][] =>
    typeof field === "object" ? [[key, field]] : [],
  );
}

/** JSON's object; neither a list nor null nor an instance of something. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** @output what it is in words of the schema; `null` and numbers that JSON cannot hold are none of its types */
export function typeName(value: unknown): OutputFieldType | "null" | "undefined" | "other" {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (isPlainObject(value)) return "object";
  if (typeof value === "number") return Number.isFinite(value) ? "number" : "other";
  if (typeof value === "string" || typeof value === "boolean" || value === undefined) {
    return value === undefined ? "undefined" : typeof value === "string" ? "string" : "boolean";
  }
  return "other";
}
