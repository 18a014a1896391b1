// The prompt of one iteration: the text that a person wrote, with what the run knows put in.
import type { ContextCarry, FlowDefinition, FlowStep, StepCheckResult } from "@codelia/shared-types";
import { type PromptResolver, withFeedback, withOutputForm, withVerdictForm } from "../connection/index.ts";
import type { StepContext } from "../handoff/index.ts";
import type { StepCheckContext } from "../judgment/index.ts";
import type { RunPlace } from "./ports.ts";

export interface PromptSituation {
  readonly stepId: string;
  readonly step: FlowStep;
  readonly iteration: number;
  readonly isRetry: boolean;
  readonly carry: Readonly<ContextCarry>;
  /** What the last check of the run said. */
  readonly lastCheck: StepCheckResult | undefined;
}

export class Prompts {
  readonly #resolver: PromptResolver;
  readonly #context: StepContext;
  readonly #params: Readonly<Record<string, string>>;

  constructor(flow: FlowDefinition, { args }: RunPlace, resolver: PromptResolver, context: StepContext) {
    this.#resolver = resolver;
    this.#context = context;
    const names = Object.keys(flow.parameters ?? {});
    const given = (name: string) => (Object.hasOwn(args, name) ? (args[name] ?? "") : "");
    this.#params = Object.fromEntries(names.map((name) => [`param-${name}`, given(name)]));
  }

  /** @error MissingRequiredInput, NotFound */
  async ofStep(situation: PromptSituation): Promise<string> {
    const { step, isRetry, lastCheck } = situation;
    const variables = this.#variables(situation);
    const own = isRetry ? step.retryPrompt : undefined;
    const text = await this.#resolver.resolve(own ?? step.prompt, variables);
    const asked =
      isRetry && own === undefined && lastCheck !== undefined ? withFeedback(text, lastCheck) : text;
    return withOutputForm(asked, step.output);
  }

  /** @error MissingRequiredInput, NotFound */
  async ofJudge(
    reference: Parameters<PromptResolver["resolve"]>[0],
    situation: PromptSituation,
    { response, output }: StepCheckContext,
  ): Promise<string> {
    const variables = {
      ...this.#variables(situation),
      "run-response": response,
      "run-output": JSON.stringify(output ?? {}),
    };
    return withVerdictForm(await this.#resolver.resolve(reference, variables));
  }

  #variables({ stepId, step, iteration, carry, lastCheck }: PromptSituation): Record<string, string> {
    return {
      ...(step.inputs === undefined ? {} : this.#context.toUvVariables(step.inputs)),
      ...this.#params,
      "run-step": stepId,
      "run-iteration": String(iteration),
      "run-previous_response": carry.previousResponse ?? "",
      "run-check_message": lastCheck?.message ?? "",
      "run-check_output": lastCheck?.output ?? "",
    };
  }
}
