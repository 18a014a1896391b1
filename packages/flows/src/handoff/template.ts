// Variables in prompts: `{uv-step_key}`, `{param-name}` and `{run-…}`. Every other brace is text.

const variable = /\{((?:uv|param|run)-[A-Za-z0-9_-]+)\}/g;

/** What the run itself knows. */
export const runVariables = [
  "run-step",
  "run-iteration",
  "run-previous_response",
  "run-check_message",
  "run-check_output",
] as const;

/** What a judge's prompt knows besides. */
export const judgeVariables = ["run-response", "run-output"] as const;

export interface TemplateVariable {
  readonly name: string;
  /** Where its brace opens. */
  readonly offset: number;
}

export function templateVariables(template: string): TemplateVariable[] {
  return [...template.matchAll(variable)].map(({ 1: name = "", index }) => ({ name, offset: index }));
}

/**
 * One pass: what a value brings in is never looked at again. A declared variable without a value becomes nothing.
 *
 * @effects none; no shell sees any of it
 */
export function substitute(template: string, variables: Readonly<Record<string, string>>): string {
  return template.replace(variable, (_, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? "") : "",
  );
}
