// One iteration: the step's prompt, the model's response, the output in it, and what the check says.
import type {
  CommandResult,
  FlowStep,
  QueryResult,
  Spent,
  StepCheckResult,
  Usage,
} from "@codelia/shared-types";
import { type AgentError, asAgentError } from "../error.ts";
import { OutputExtractor, OutputValidator } from "../handoff/index.ts";
import type { Judges, StepCheckContext } from "../judgment/index.ts";
import { totalsOf } from "./limits.ts";
import type { IterationEffects, QueryAttempt } from "./model-queries.ts";
import type { PromptSituation, Prompts } from "./prompts.ts";
import { leavesRunOpen } from "./run-log.ts";

export interface IterationOptions {
  readonly situation: PromptSituation;
  readonly prompts: Prompts;
  readonly effects: IterationEffects;
  readonly signal: AbortSignal;
}

export interface IterationEnd {
  /** Absent when there is none. */
  readonly response: string | undefined;
  readonly session: string | undefined;
  /** Validated. */
  readonly output: Record<string, unknown> | undefined;
  readonly check: StepCheckResult;
  /** Why there is no response, or why the check could not be made. */
  readonly error: AgentError | undefined;
  readonly usage: Usage;
  readonly costUsd: number | undefined;
  readonly queries: number;
}

type CheckOf<T> = Extract<NonNullable<FlowStep["check"]>, { type: T }>;

export class Iteration {
  readonly #options: IterationOptions;
  readonly #used: Spent[] = [];
  #queries = 0;
  /** Where the step's next query goes on. */
  #session: string | undefined;
  #unprepared: unknown;

  constructor(options: IterationOptions) {
    this.#options = options;
  }

  /**
   * @input  session: to go on in; check: judges the response
   * @output how it ended; failures of the step are part of it
   * @error  what kept it from beginning: a missing input or prompt; what leaves the run open: its journal
   */
  async run(
    session: string | undefined,
    check: (context: StepCheckContext) => Promise<StepCheckResult>,
  ): Promise<IterationEnd> {
    let answer: QueryResult;
    this.#session = session;
    try {
      answer = await this.#ask(session);
    } catch (thrown) {
      const error = asAgentError(thrown);
      if (thrown === this.#unprepared || leavesRunOpen(error.code)) throw error;
      return this.#end({ error });
    }
    const { text: response } = answer;
    const { iteration, step } = this.#options.situation;
    const { output, problems } = readOutput(step, response);
    const known = { response, output };
    try {
      return this.#end({ ...known, check: await check({ iteration, response, output, problems }) });
    } catch (thrown) {
      const error = asAgentError(thrown);
      if (leavesRunOpen(error.code)) throw error;
      return this.#end({ ...known, error });
    }
  }

  async command(check: CheckOf<"command">): Promise<CommandResult> {
    const { effects, situation, signal } = this.#options;
    const { stepId: step, iteration } = situation;
    return await effects.command(check, { step, iteration }, signal);
  }

  /** A judge has a session of its own and sees no more than its prompt. */
  async ask(check: CheckOf<"prompt">, context: StepCheckContext): ReturnType<Judges["askModel"]> {
    const { effects, prompts, situation, signal } = this.#options;
    const { stepId, step, iteration } = situation;
    const result = await effects.query(
      {
        purpose: "check",
        step: stepId,
        iteration,
        prompt: () => prompts.ofJudge(check.prompt, situation, context),
        session: undefined,
        previousResponse: undefined,
        tools: check.tools ?? [],
        // A judge looks; it never gets more leave than to be asked about.
        approval: "ask",
        model: step.model,
        onAttempt: (attempt) => this.#count(attempt),
      },
      signal,
    );
    return result.text;
  }

  async #ask(session: string | undefined): Promise<QueryResult> {
    const { effects, prompts, situation, signal } = this.#options;
    const { stepId, step, iteration, carry } = situation;
    return await effects.query(
      {
        purpose: "step",
        step: stepId,
        iteration,
        prompt: async () => {
          try {
            return await prompts.ofStep(situation);
          } catch (error) {
            this.#unprepared = error;
            throw error;
          }
        },
        session,
        previousResponse: carry.previousResponse,
        tools: step.tools,
        approval: step.approval,
        model: step.model,
        onAttempt: (attempt) => {
          this.#count(attempt);
          this.#session = attempt.session;
        },
      },
      signal,
    );
  }

  #count({ used }: QueryAttempt): void {
    if (used !== undefined) this.#used.push(used);
    this.#queries += 1;
  }

  #end({
    response,
    output,
    check,
    error,
  }: Partial<Pick<IterationEnd, "response" | "output" | "check" | "error">>): IterationEnd {
    return {
      response,
      session: this.#session,
      output,
      check: check ?? { passed: false, message: error?.message ?? "" },
      error,
      ...totalsOf(this.#used),
      queries: this.#queries,
    };
  }
}

/** Only from the response itself: what tools said is not part of it. */
function readOutput(
  { output: schema, check }: FlowStep,
  response: string,
): { readonly output: Record<string, unknown> | undefined; readonly problems: readonly string[] } {
  if (schema === undefined) return { output: undefined, problems: [] };
  const extracted = new OutputExtractor().extract(response, schema);
  if (extracted.data === undefined) {
    return { output: undefined, problems: (extracted.errors ?? []).map(({ message }) => message) };
  }
  const strict = check?.type === "schema" && check.strict === true;
  const { coerced, errors = [] } = new OutputValidator({ strict }).validate(extracted.data, schema);
  return { output: coerced, problems: errors.map(({ message }) => message) };
}
