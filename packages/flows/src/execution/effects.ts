// Effects that survive a crash: the intent is on disk before one begins, the result before anything follows from it.
import type { CommandResult, EffectIntent, EffectOutcome, QueryResult } from "@codelia/shared-types";
import type { Probe } from "../connection/index.ts";
import { asAgentError, ExecutionError, errorOf } from "../error.ts";
import type { Clock } from "./clock.ts";
import type { RecordedEffect, RunLog } from "./run-log.ts";

/** An effect that was begun when the process died; nobody knows what came of it. */
export interface IndeterminateEffect {
  readonly run: string;
  readonly number: number;
  readonly intent: EffectIntent;
}

export type EffectDecision =
  | { readonly action: "repeat" }
  /** It was done, and this came of it. */
  | { readonly action: "result"; readonly outcome: EffectOutcome }
  /** The run stays as it is. */
  | { readonly action: "stop" };

export interface EffectKind<K extends EffectIntent["kind"], T> {
  readonly kind: K;
  readonly outcome: (result: T) => EffectOutcome;
  readonly result: (outcome: EffectOutcome) => T | undefined;
}

export const queryEffect: EffectKind<"query", QueryResult> = {
  kind: "query",
  outcome: (result) => ({ kind: "query", result }),
  result: (outcome) => (outcome.kind === "query" ? outcome.result : undefined),
};

export const commandEffect: EffectKind<"command", CommandResult> = {
  kind: "command",
  outcome: (result) => ({ kind: "command", result }),
  result: (outcome) => (outcome.kind === "command" ? outcome.result : undefined),
};

type IntentOf<K> = Extract<EffectIntent, { kind: K }>;

export interface Effect<K extends EffectIntent["kind"], T> {
  readonly kind: EffectKind<K, T>;
  readonly step: string;
  readonly iteration: number;
  /** Only asked where the journal does not know the effect. */
  readonly describe: () => Promise<IntentOf<K>>;
  /** @error AgentError; it becomes the effect's result */
  readonly act: (intent: IntentOf<K>, number: number) => Promise<T>;
  readonly probe: ((intent: IntentOf<K>, number: number) => Promise<Probe<T>>) | undefined;
}

export interface EffectOptions {
  readonly run: string;
  readonly log: RunLog;
  readonly clock: Clock;
  readonly history: ReadonlyMap<number, RecordedEffect>;
  readonly decide: ((effect: IndeterminateEffect) => Promise<EffectDecision>) | undefined;
}

export class DurableEffects {
  readonly #options: EffectOptions;
  #count = 0;
  /** Time that the run has taken up to here, crashes not counted. */
  #elapsedMs = 0;
  #since: number;

  constructor(options: EffectOptions) {
    this.#options = options;
    this.#since = options.clock.now();
  }

  /** The next effect is known from the journal: nothing will happen. */
  get isReplaying(): boolean {
    return this.#options.history.get(this.#count + 1)?.ended !== undefined;
  }

  get elapsedMs(): number {
    return this.#elapsedMs + this.#options.clock.now() - this.#since;
  }

  /** When the last effect had ended, the same in every replay. */
  get lastEffectAt(): number {
    return this.#elapsedMs;
  }

  /**
   * @output what came of the effect, now or before the crash
   * @effects the effect, once: never if the journal has its result, and never silently if it only has its intent
   * @error  the AgentError that it ended with; ExecutionError IndeterminateEffect, JournalMismatch, JournalFailed
   */
  async perform<K extends EffectIntent["kind"], T>(effect: Effect<K, T>): Promise<T> {
    this.#count += 1;
    const number = this.#count;
    const recorded = this.#options.history.get(number);
    if (recorded === undefined) return this.#begin(effect, number, await effect.describe());
    const intent = this.#matching(effect, recorded.intent);
    if (recorded.ended !== undefined) {
      this.#elapsedMs = recorded.ended.elapsedMs;
      this.#since = this.#options.clock.now();
      return resultOf(effect.kind, recorded.ended.outcome);
    }
    if (!recorded.mayRepeat) {
      const settled = await this.#settle(effect, number, intent);
      if (settled !== undefined) return resultOf(effect.kind, settled);
    }
    return this.#begin(effect, number, intent);
  }

  async #begin<K extends EffectIntent["kind"], T>(
    effect: Effect<K, T>,
    number: number,
    intent: IntentOf<K>,
  ): Promise<T> {
    const { log } = this.#options;
    await log.append({ type: "effect.intent", effect: number, intent }, "flushed");
    const outcome = await outcomeOf(effect, intent, number);
    // Cut off on purpose, to be taken up again: as after a crash, its result is not known.
    if (outcome.kind === "failed" && outcome.failure.code === "Interrupted") throw errorOf(outcome.failure);
    await this.#end(number, outcome);
    return resultOf(effect.kind, outcome);
  }

  async #end(number: number, outcome: EffectOutcome): Promise<void> {
    const { log, clock } = this.#options;
    this.#elapsedMs = this.elapsedMs;
    this.#since = clock.now();
    const { lastEffectAt: elapsedMs } = this;
    await log.append({ type: "effect.result", effect: number, outcome, elapsedMs }, "flushed");
  }

  /** @output what came of it, when that can be found out; undefined when it may be done again */
  async #settle<K extends EffectIntent["kind"], T>(
    effect: Effect<K, T>,
    number: number,
    intent: IntentOf<K>,
  ): Promise<EffectOutcome | undefined> {
    const { run, log, decide } = this.#options;
    const decided = async (
      decision: "done" | "repeat",
      by: "probe" | "user" | "harmless",
      outcome?: EffectOutcome,
    ) => {
      await log.append({ type: "effect.decided", effect: number, decision, by });
      if (outcome !== undefined) await this.#end(number, outcome);
      return outcome;
    };
    if (isHarmless(intent)) return await decided("repeat", "harmless");
    const probe: Probe<T> = (await effect.probe?.(intent, number)) ?? { state: "unknown" };
    if (probe.state === "done") return await decided("done", "probe", effect.kind.outcome(probe.result));
    if (probe.state === "not_done") return await decided("repeat", "probe");
    const answer = (await decide?.({ run, number, intent })) ?? { action: "stop" };
    if (answer.action === "repeat") return await decided("repeat", "user");
    if (answer.action === "result") return await decided("done", "user", answer.outcome);
    throw new ExecutionError(
      "IndeterminateEffect",
      `${describeIntent(intent)} had begun when the run was ended, and nobody knows what came of it. Look, then resume the run and say whether to repeat it.`,
      { step: intent.step, iteration: intent.iteration },
    );
  }

  #matching<K extends EffectIntent["kind"], T>(
    { kind, step, iteration }: Effect<K, T>,
    intent: EffectIntent,
  ): IntentOf<K> {
    if (isOfKind(intent, kind.kind) && intent.step === step && intent.iteration === iteration) return intent;
    throw new ExecutionError(
      "JournalMismatch",
      `The journal has ${describeIntent(intent)} where this program would do something else. Resume it with the version that began it.`,
      { step, iteration },
    );
  }
}

function isOfKind<K extends EffectIntent["kind"]>(intent: EffectIntent, kind: K): intent is IntentOf<K> {
  return intent.kind === kind;
}

async function outcomeOf<K extends EffectIntent["kind"], T>(
  effect: Effect<K, T>,
  intent: IntentOf<K>,
  number: number,
): Promise<EffectOutcome> {
  try {
    return effect.kind.outcome(await effect.act(intent, number));
  } catch (thrown) {
    const error = asAgentError(thrown);
    return {
      kind: "failed",
      failure: error.toFailure(),
      ...(error.spent === undefined ? {} : { spent: error.spent }),
    };
  }
}

function resultOf<K extends EffectIntent["kind"], T>(kind: EffectKind<K, T>, outcome: EffectOutcome): T {
  if (outcome.kind === "failed") throw errorOf(outcome.failure, outcome.spent);
  const result = kind.result(outcome);
  if (result === undefined) {
    throw new ExecutionError(
      "JournalMismatch",
      `The journal has the result of a ${outcome.kind} for a ${kind.kind}.`,
    );
  }
  return result;
}

/** Nothing outside the run can have changed: a question without tools, a command that says so. */
function isHarmless(intent: EffectIntent): boolean {
  return intent.kind === "query" ? intent.tools?.length === 0 : intent.repeatable;
}

function describeIntent(intent: EffectIntent): string {
  const place = `of step "${intent.step}", iteration ${intent.iteration}`;
  if (intent.kind === "command") return `The command ${JSON.stringify(intent.command.join(" "))} ${place}`;
  return intent.purpose === "check" ? `The judge's query ${place}` : `The query ${place}`;
}
