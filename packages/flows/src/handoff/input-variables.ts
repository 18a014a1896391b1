// How an input is named, and what is done when it is missing.
import type { InputSpec, InputVariable } from "@codelia/shared-types";

export interface InputReference {
  readonly step: string;
  readonly key: string;
}

/** "measure.height" → its step and key; step ids hold no dot. */
export function parseInputName(name: string): InputReference | undefined {
  const dot = name.indexOf(".");
  if (dot <= 0 || dot === name.length - 1) return undefined;
  return { step: name.slice(0, dot), key: name.slice(dot + 1) };
}

export function uvName({ step, key }: InputReference): string {
  return `uv-${step}_${key}`;
}

export type WhenMissing =
  | { readonly action: "error" }
  | { readonly action: "skip" }
  | { readonly action: "default"; readonly value: unknown };

export function whenMissing(variable: InputVariable): WhenMissing {
  const {
    required = true,
    onMissing,
    default: value,
  } = typeof variable === "boolean" ? { required: variable } : variable;
  if (onMissing === "skip") return { action: "skip" };
  if (onMissing === "default") return { action: "default", value };
  if (required) return { action: "error" };
  return value === undefined ? { action: "skip" } : { action: "default", value };
}

export function inputReferences(inputs: InputSpec): (InputReference & { readonly name: string })[] {
  return Object.keys(inputs.variables).flatMap((name) => {
    const reference = parseInputName(name);
    return reference === undefined ? [] : [{ name, ...reference }];
  });
}
