// Flow agents for tests: written to a real directory from a few lines, loaded and validated.
import { type AgentDefinition, load, type ValidatedDefinition, validate } from "@codelia/flows";
import type { AgentFile, FlowStep } from "@codelia/shared-types";
import { TemporaryTree, type TreeDescription } from "../../../../test/support/tree.ts";

export type StepDraft = Partial<FlowStep>;

/** An agent whose steps all have a prompt of their own, `prompts/<id>.md`, unless they say otherwise. */
export function agentFiles(
  steps: Readonly<Record<string, StepDraft>>,
  agent: Omit<AgentFile, "steps"> = {},
  prompts: Readonly<Record<string, string>> = {},
): TreeDescription {
  const whole = Object.fromEntries(
    Object.entries(steps).map(([id, step]) => [
      id,
      { prompt: `prompts/${id}.md`, onPass: { complete: true as const }, ...step },
    ]),
  );
  const written = Object.keys(steps).map((id): [string, string] => [`prompts/${id}.md`, `Do ${id}.\n`]);
  return {
    "agent.json": JSON.stringify(agent, undefined, 2),
    "steps.json": JSON.stringify({ steps: whole }, undefined, 2),
    ...Object.fromEntries(written),
    ...prompts,
  };
}

export async function loaded(files: TreeDescription): Promise<AgentDefinition> {
  using tree = new TemporaryTree(files);
  return await load(tree.path);
}

/** @error when the definition is not valid: the test is wrong then */
export async function validated(directory: string): Promise<ValidatedDefinition> {
  const { definition, errors } = validate(await load(directory));
  if (definition === undefined) throw new Error(JSON.stringify(errors, undefined, 2));
  return definition;
}
