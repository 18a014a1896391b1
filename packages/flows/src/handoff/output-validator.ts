// Holds an extracted output against the declared fields. Nothing is converted.
import type { FieldError, OutputField, OutputSchema } from "@codelia/shared-types";
import { outputFields, typeName } from "./output-fields.ts";

export interface OutputValidation {
  readonly valid: boolean;
  readonly errors?: readonly FieldError[];
  /** The declared fields alone, with defaults filled in; only when valid. */
  readonly coerced?: Record<string, unknown>;
}

export interface OutputValidatorOptions {
  /** Refuse fields that are not declared, instead of leaving them out. */
  readonly strict?: boolean;
}

export class OutputValidator {
  readonly #strict: boolean;

  constructor({ strict = false }: OutputValidatorOptions = {}) {
    this.#strict = strict;
  }

  /**
   * @input  data: what was extracted; schema: the declared fields
   * @output valid ⇔ no errors; every problem at once
   * @effects none
   */
  validate(data: Record<string, unknown>, schema: OutputSchema): OutputValidation {
    const fields = outputFields(schema);
    const errors = fields.flatMap(([key, field]) => fieldErrors(key, field, own(data, key)));
    if (this.#strict) errors.push(...unknownFields(data, new Set(fields.map(([key]) => key))));
    if (errors.length > 0) return { valid: false, errors };
    const entries = fields.map(([key, field]): [string, unknown] => {
      const value = own(data, key);
      return [key, value === undefined ? structuredClone(field.default) : value];
    });
    return { valid: true, coerced: Object.fromEntries(entries.filter(([, value]) => value !== undefined)) };
  }
}

function fieldErrors(key: string, { type, required = true }: OutputField, value: unknown): FieldError[] {
  if (value === undefined) {
    return required ? [{ code: "Missing", key, message: `${key} is missing: a ${type} is required` }] : [];
  }
  const found = typeName(value);
  if (found === type) return [];
  return [{ code: "WrongType", key, message: `${key} must be of type ${type}, found ${found}` }];
}

function unknownFields(data: Record<string, unknown>, known: ReadonlySet<string>): FieldError[] {
  return Object.keys(data)
    .filter((key) => !known.has(key))
    .map((key) => ({ code: "UnknownField", key, message: `${JSON.stringify(key)} is not declared` }));
}

function own(data: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(data, key) ? data[key] : undefined;
}
