// A run of a flow, from its first step to its Result: iterate, judge, move on. Nothing throws out of it.
import type {
  AgentResult,
  ContextCarry,
  FlowDefinition,
  FlowFailure,
  IterationSummary,
  StepCheckResult,
} from "@codelia/shared-types";
import { PromptResolver } from "../connection/index.ts";
import { type AgentError, asAgentError, ConnectionError, ExecutionError, failureAt } from "../error.ts";
import { StepContext } from "../handoff/index.ts";
import { type Completion, createCompletion, StepCheck } from "../judgment/index.ts";
import { deadline } from "./abort.ts";
import { DurableEffects } from "./effects.ts";
import { Iteration, type IterationEnd } from "./iteration.ts";
import { requireWithinLimits, timeLimit } from "./limits.ts";
import { IterationEffects } from "./model-queries.ts";
import type { Dependencies, IterationPlace, RunPlace } from "./ports.ts";
import { Prompts } from "./prompts.ts";
import { agentResult, type Ending } from "./result.ts";
import { leavesRunOpen, type RunHistory, RunLog } from "./run-log.ts";

export class FlowRun {
  readonly #flow: FlowDefinition;
  readonly #dependencies: Dependencies;
  readonly #log: RunLog;
  readonly #effects: DurableEffects;
  readonly #context = new StepContext();
  readonly #completion: Completion | undefined;
  readonly #prompts: Prompts;
  readonly #iterationEffects: IterationEffects;
  readonly #stepCheck: StepCheck;
  readonly #summaries: IterationSummary[] = [];
  /** Before the process died that began the run. */
  readonly #spentMs: number;
  /** The iteration under way: checks are made within it. */
  #current: Iteration | undefined;
  #carry: Readonly<ContextCarry> = Object.freeze({});
  #lastCheck: StepCheckResult | undefined;
  /** Of this visit: a retry goes on in it. */
  #session: string | undefined;

  constructor(
    flow: FlowDefinition,
    place: RunPlace,
    dependencies: Dependencies,
    history: RunHistory | undefined,
  ) {
    const { journal, clock, decide, onRecord = () => undefined, fs } = dependencies;
    this.#flow = flow;
    this.#dependencies = dependencies;
    this.#spentMs = history?.elapsedMs ?? 0;
    this.#log = new RunLog(journal, onRecord, history);
    const known = history?.effects ?? new Map();
    this.#effects = new DurableEffects({ run: place.id, log: this.#log, clock, history: known, decide });
    this.#completion = flow.completion && createCompletion(flow.completion);
    const { directory, fallbackDir } = flow;
    const resolver = new PromptResolver({ directory, fallbackDir, ...(fs === undefined ? {} : { fs }) });
    this.#prompts = new Prompts(flow, place, resolver, this.#context);
    this.#iterationEffects = new IterationEffects(flow, place, dependencies, this.#effects);
    this.#stepCheck = new StepCheck(flow, {
      runCommand: (check) => this.#inIteration().command(check),
      askModel: (check, context) => this.#inIteration().ask(check, context),
    });
  }

  /**
   * @output the Result; also of a run that failed or was stopped
   * @effects those of its steps; every record is written before it counts
   */
  async toItsEnd(stop: AbortSignal): Promise<AgentResult> {
    const ending = await this.#end(stop);
    const result = agentResult(ending, this.#summaries, this.#context.outputs);
    if ("failure" in ending && leavesRunOpen(ending.failure.code)) return result;
    try {
      await this.#log.append({ type: "run.end", result }, "flushed");
      return result;
    } catch (error) {
      // A success that cannot be kept is none: whoever resumes the run will find it.
      const failure = asAgentError(error).toFailure();
      return agentResult({ failure }, this.#summaries, this.#context.outputs);
    }
  }

  async #end(stop: AbortSignal): Promise<Ending> {
    const most = this.#flow.limits?.timeMs;
    const left = most === undefined ? undefined : most - this.#spentMs;
    using limit = deadline(stop, this.#dependencies.clock, left, () => timeLimit(most ?? 0));
    try {
      for (;;) {
        const reason = await this.#iterate(limit.signal);
        if (reason !== undefined) return { reason };
      }
    } catch (error) {
      return { failure: this.#located(asAgentError(error)) };
    }
  }

  /** @output why the run is complete, or undefined while it is not */
  async #iterate(signal: AbortSignal): Promise<string | undefined> {
    const { id, step, visit, attempt } = this.#stepCheck.position;
    requireWithinLimits(this.#flow, id, this.#summaries, this.#effects.elapsedMs);
    if (signal.aborted) throw asAgentError(signal.reason);
    const number = this.#summaries.length + 1;
    const { clock, onIteration } = this.#dependencies;
    const place: IterationPlace = { iteration: number, step: id, visit, attempt };
    if (!this.#effects.isReplaying) onIteration?.(place);
    using limit = deadline(signal, clock, step.limits?.timeMs, () => tooLong(id, number));
    this.#current = new Iteration({
      situation: {
        stepId: id,
        step,
        iteration: number,
        isRetry: attempt > 1,
        carry: this.#carry,
        lastCheck: this.#lastCheck,
      },
      prompts: this.#prompts,
      effects: this.#iterationEffects,
      signal: limit.signal,
    });
    const end = await this.#current.run(this.#session, (context) => this.#stepCheck.check(context));
    await this.#keep(end, place);
    if (end.error !== undefined && !end.error.recoverable) throw end.error;
    return await this.#judge(end, id, number);
  }

  async #keep(end: IterationEnd, place: IterationPlace): Promise<void> {
    const { output, check, error, session, usage, costUsd, queries } = end;
    if (output !== undefined) this.#context.set(place.step, output);
    const summary: IterationSummary = {
      ...place,
      ...(session === undefined ? {} : { session }),
      ...(output === undefined ? {} : { output: structuredClone(output) }),
      check,
      ...(error === undefined ? {} : { error: failureAt(error, place.step, place.iteration) }),
      usage,
      ...(costUsd === undefined ? {} : { costUsd }),
      queries,
      elapsedMs: this.#effects.lastEffectAt,
    };
    this.#summaries.push(summary);
    this.#session = session;
    this.#lastCheck = check;
    this.#carry = Object.freeze({
      ...this.#carry,
      ...(end.response === undefined ? {} : { previousResponse: end.response }),
      accumulatedContext: this.#context.outputs,
    });
    await this.#log.iteration({ type: "iteration", summary });
  }

  async #judge(end: IterationEnd, step: string, iteration: number): Promise<string | undefined> {
    const { check, error, response = "" } = end;
    const context = { iteration, step, response, carry: this.#carry };
    this.#completion?.observe(context);
    const verdict = await this.#completion?.check(context);
    // What did not pass its check cannot complete a run, whatever the model says.
    const isComplete = check.passed && verdict?.complete === true;
    const to = isComplete ? "complete" : this.#move(check, error);
    const reason = isComplete ? (verdict.reason ?? "") : this.#stepCheck.lastReason;
    await this.#log.transition({ type: "transition", from: step, to, reason, iteration });
    if (to === "complete") return isComplete ? reason : `the step "${step}" completed the flow`;
    if (this.#stepCheck.position.attempt === 1) this.#session = undefined;
    return undefined;
  }

  /** A connection that failed was tried often enough: the step is given up. Everything else is a failed check. */
  #move(check: StepCheckResult, error: AgentError | undefined): string {
    return error instanceof ConnectionError
      ? this.#stepCheck.giveUp(error)
      : this.#stepCheck.transition(check);
  }

  #located(error: AgentError): FlowFailure {
    const step = error.step ?? this.#stepCheck.position.id;
    const last = this.#summaries.at(-1);
    return failureAt(error, step, last?.step === step ? last.iteration : undefined);
  }

  #inIteration(): Iteration {
    if (this.#current === undefined)
      throw new ExecutionError("Unexpected", "A check was made outside an iteration.");
    return this.#current;
  }
}

function tooLong(step: string, iteration: number): ExecutionError {
  const message = `The iteration took longer than the step "${step}" allows.`;
  return new ExecutionError("IterationTimeout", message, { step, iteration, recoverable: true });
}
