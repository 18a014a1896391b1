// What a flow would ask, before it costs anything: every prompt with samples in place of what a model would answer.
import type { FileSystem, FlowDefinition, FlowStep, OutputField } from "@codelia/shared-types";
import { PromptResolver } from "../connection/index.ts";
import { asAgentError } from "../error.ts";
import { outputFields, StepContext } from "../handoff/index.ts";
import { canFail } from "../judgment/index.ts";
import { completeArguments } from "./arguments.ts";
import { type PromptSituation, Prompts } from "./prompts.ts";

export interface PromptPreview {
  readonly step: string;
  /** The step's own prompt, the one after a failed check, or the one of its judge. */
  readonly kind: "step" | "retry" | "judge";
  /** Exactly as a model would get it; absent when there is a problem. */
  readonly text?: string;
  readonly problem?: string;
}

export interface PreviewOptions {
  /** Values of the flow's parameters; samples stand for those that are missing. */
  readonly args?: Readonly<Record<string, string>>;
  readonly fs?: FileSystem;
}

/**
 * @input  flow: a definition without errors
 * @output every prompt of every step, in the order of the definition
 * @effects reads the prompts; no model is asked and no command is run
 * @error  ConfigurationError BadArguments: a parameter that there is not
 */
export async function previewPrompts(
  flow: FlowDefinition,
  { args = {}, fs }: PreviewOptions = {},
): Promise<PromptPreview[]> {
  const { parameters = {}, directory, fallbackDir, steps } = flow;
  const samples = Object.entries(parameters).map(([name, { default: value }]): [string, string] => [
    name,
    value ?? sampleOf(`parameter ${name}`),
  ]);
  const complete = completeArguments(parameters, { ...Object.fromEntries(samples), ...args });
  const resolver = new PromptResolver({ directory, fallbackDir, ...(fs === undefined ? {} : { fs }) });
  const context = new StepContext();
  for (const [id, step] of Object.entries(steps)) context.set(id, sampleOutput(id, step));
  const prompts = new Prompts(flow, { id: "preview", cwd: directory, args: complete }, resolver, context);

  const previews: PromptPreview[] = [];
  const add = async (step: string, kind: PromptPreview["kind"], render: () => Promise<string>) => {
    try {
      previews.push({ step, kind, text: await render() });
    } catch (error) {
      previews.push({ step, kind, problem: asAgentError(error).message });
    }
  };
  for (const [index, [id, step]] of Object.entries(steps).entries()) {
    const first = situation(id, step, index + 1, false);
    await add(id, "step", () => prompts.ofStep(first));
    if (isRepeated(step)) await add(id, "retry", () => prompts.ofStep(situation(id, step, index + 1, true)));
    const { check } = step;
    if (check?.type === "prompt") {
      const response = sampleOf(`response of ${id}`);
      const judged = { iteration: index + 1, response, output: sampleOutput(id, step), problems: [] };
      await add(id, "judge", () => prompts.ofJudge(check.prompt, first, judged));
    }
  }
  return previews;
}

/** Whether the step can be done again within one visit. */
function isRepeated(step: FlowStep): boolean {
  const { onPass, onFail = { retry: true }, retries } = step;
  return retries !== 0 && (onPass.retry === true || (onFail.retry === true && canFail(step)));
}

function situation(stepId: string, step: FlowStep, iteration: number, isRetry: boolean): PromptSituation {
  const message = sampleOf(`what the check of ${stepId} said`);
  const output = step.check?.type === "command" ? sampleOf("what the command printed") : undefined;
  return {
    stepId,
    step,
    iteration,
    isRetry,
    carry: iteration === 1 && !isRetry ? {} : { previousResponse: sampleOf("previous response") },
    lastCheck: isRetry ? { passed: false, message, ...(output === undefined ? {} : { output }) } : undefined,
  };
}

function sampleOf(what: string): string {
  return `<${what}>`;
}

function sampleOutput(id: string, { output = {} }: FlowStep): Record<string, unknown> {
  return Object.fromEntries(
    outputFields(output).map(([key, field]) => [key, sampleValue(`${id}.${key}`, field)]),
  );
}

function sampleValue(name: string, { type, default: value }: OutputField): unknown {
  if (value !== undefined) return value;
  switch (type) {
    case "string":
      return sampleOf(name);
    case "number":
      return 1;
    case "boolean":
      return true;
    case "object":
      return { sample: sampleOf(name) };
    case "array":
      return [sampleOf(name)];
  }
}
