// What the steps of a run have put out so far, and how it becomes variables of a prompt.
import type { InputSpec, StepOutputs } from "@codelia/shared-types";
import { ConfigurationError, ExecutionError } from "../error.ts";
import { parseInputName, uvName, whenMissing } from "./input-variables.ts";

export class StepContext {
  readonly #outputs = new Map<string, Readonly<Record<string, unknown>>>();

  /** A copy: nobody changes what a step has put out. */
  get outputs(): StepOutputs {
    return structuredClone(Object.fromEntries(this.#outputs));
  }

  /**
   * @input  data: validated output
   * @effects replaces what the step had put out before; no history is kept
   */
  set(stepId: string, data: Record<string, unknown>): void {
    this.#outputs.set(stepId, structuredClone(data));
  }

  /**
   * @output the value, or undefined when the step or the key is not there; never an error
   * @effects none
   */
  get(stepId: string, key: string): unknown {
    const data = this.#outputs.get(stepId);
    return data !== undefined && Object.hasOwn(data, key) ? structuredClone(data[key]) : undefined;
  }

  /**
   * @input  inputs: which values a prompt takes
   * @output `uv-step_key` → its text; objects and lists as JSON
   * @effects none
   * @error  ExecutionError MissingRequiredInput with every missing one; ConfigurationError CollidingVariables
   */
  toUvVariables(inputs: InputSpec): Record<string, string> {
    const variables = new Map<string, { readonly from: string; readonly text: string | undefined }>();
    const missing: string[] = [];
    for (const [name, variable] of Object.entries(inputs.variables)) {
      const reference = parseInputName(name);
      if (reference === undefined) throw badName(name);
      const uv = uvName(reference);
      const other = variables.get(uv);
      if (other !== undefined) throw collision(uv, other.from, name);
      const value = this.get(reference.step, reference.key);
      const rule = whenMissing(variable);
      if (value === undefined && rule.action === "error") missing.push(name);
      const used = value === undefined && rule.action === "default" ? rule.value : value;
      variables.set(uv, { from: name, text: used === undefined ? undefined : textOf(used) });
    }
    if (missing.length > 0) throw missingInputs(missing);
    return Object.fromEntries(
      [...variables].flatMap(([uv, { text }]) => (text === undefined ? [] : [[uv, text]])),
    );
  }
}

function textOf(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

function missingInputs(names: readonly string[]): ExecutionError {
  const list = names.map((name) => `"${name}"`).join(", ");
  return new ExecutionError(
    "MissingRequiredInput",
    `No step has put out ${list}. Let the flow pass the step that does, or give the input required: false.`,
  );
}

function collision(uv: string, first: string, second: string): ConfigurationError {
  return new ConfigurationError(
    "CollidingVariables",
    `"${first}" and "${second}" would both be {${uv}}. Rename a step or a key.`,
  );
}

function badName(name: string): ConfigurationError {
  return new ConfigurationError("BadInputName", `"${name}" names no output. Write "step.key".`);
}
