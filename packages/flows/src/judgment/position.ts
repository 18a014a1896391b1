// Where a run is in its flow: the step, how often it came there, how often it tried; and where it goes next.
import type {
  FlowDefinition,
  FlowStep,
  OnExhausted,
  StepCheckResult,
  Transition,
} from "@codelia/shared-types";
import { type AgentError, ConfigurationError, ExecutionError } from "../error.ts";
import { outputFields } from "../handoff/index.ts";

export const defaultVisits = 10;
export const defaultRetries = 3;

/** Why a transition went where it did, as the journal has it. */
const reasons = {
  pass: "the check passed",
  fail: "the check failed",
  retry: "retry",
  skipped: "the step was skipped",
  givenUp: "the step was given up",
} as const;

/**
 * @input  reason: of a transition in the journal
 * @output what it was; undefined when a completion condition ended the flow
 */
export function moveKind(reason: string): "pass" | "fail" | "retry" | "exhausted" | undefined {
  if (reason === reasons.pass) return "pass";
  if (reason === reasons.fail) return "fail";
  if (reason.startsWith(`${reasons.retry} `)) return "retry";
  return reason === reasons.skipped || reason === reasons.givenUp ? "exhausted" : undefined;
}

export interface Move {
  /** A step's id, or `complete`. */
  readonly to: string;
  /** In words, for the journal. */
  readonly reason: string;
}

export class Position {
  readonly #flow: FlowDefinition;
  readonly #visits = new Map<string, number>();
  #step: string;
  /** 1, and one more for each retry of this visit. */
  #attempt = 1;

  constructor(flow: FlowDefinition) {
    this.#flow = flow;
    this.#step = flow.entry;
    this.#visits.set(flow.entry, 1);
  }

  get id(): string {
    return this.#step;
  }

  get step(): FlowStep {
    return stepOf(this.#flow, this.#step);
  }

  get attempt(): number {
    return this.#attempt;
  }

  get visit(): number {
    return this.#visits.get(this.#step) ?? 1;
  }

  /**
   * @input  output: the step's, for a branch
   * @effects moves on
   * @error  ExecutionError RetriesExhausted, VisitLimit
   */
  move(result: StepCheckResult, output: Readonly<Record<string, unknown>> | undefined): Move {
    const { step } = this;
    const transition = result.passed ? step.onPass : (step.onFail ?? { retry: true });
    if (transition.retry === true) return this.#retry(result);
    return this.#enter(targetOf(transition, output), result.passed ? reasons.pass : reasons.fail);
  }

  /**
   * The step cannot be done: what was tried to recover did not help.
   *
   * @effects moves on, where the step says where to
   * @error  `error` itself, when it does not; ExecutionError VisitLimit
   */
  giveUp(error: AgentError): Move {
    const { onExhausted = "error", onPass } = this.step;
    const target = exhaustedTarget(onExhausted, onPass);
    if (target === undefined) throw error;
    return this.#enter(target, onExhausted === "skip" ? reasons.skipped : reasons.givenUp);
  }

  #retry(result: StepCheckResult): Move {
    const { retries = defaultRetries } = this.step;
    if (this.#attempt <= retries) {
      this.#attempt += 1;
      return { to: this.#step, reason: `${reasons.retry} ${this.#attempt - 1} of ${retries}` };
    }
    return this.giveUp(
      new ExecutionError(
        "RetriesExhausted",
        `The step "${this.#step}" was done ${this.#attempt} times and its check asks for more: ${result.message}`,
        { step: this.#step },
      ),
    );
  }

  #enter(target: string, reason: string): Move {
    if (target === "complete") return { to: target, reason };
    const { limits = {} } = stepOf(this.#flow, target);
    const most = limits.visits ?? this.#flow.limits?.visits ?? defaultVisits;
    const visits = (this.#visits.get(target) ?? 0) + 1;
    if (visits > most) {
      throw new ExecutionError(
        "VisitLimit",
        `The flow came to the step "${target}" ${most} times, which is its limit. Raise limits.visits, or mend the cycle.`,
        { step: target },
      );
    }
    this.#visits.set(target, visits);
    this.#step = target;
    this.#attempt = 1;
    return { to: target, reason };
  }
}

/** Whether an iteration of this step can fail although the model answered. */
export function canFail({ check, output = {}, limits = {} }: FlowStep): boolean {
  return check !== undefined || limits.timeMs !== undefined || outputFields(output).length > 0;
}

function stepOf({ steps }: FlowDefinition, id: string): FlowStep {
  const step = Object.hasOwn(steps, id) ? steps[id] : undefined;
  if (step === undefined) throw new ConfigurationError("UnknownStep", `There is no step "${id}".`);
  return step;
}

function targetOf(transition: Transition, output: Readonly<Record<string, unknown>> | undefined): string {
  const { next, fallback, branch } = transition;
  if (branch === undefined) return next ?? fallback ?? "complete";
  const value = output !== undefined && Object.hasOwn(output, branch.on) ? output[branch.on] : undefined;
  // Only texts, numbers and booleans have cases.
  const hasCases = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  const key = hasCases ? String(value) : undefined;
  const chosen = key !== undefined && Object.hasOwn(branch.cases, key) ? branch.cases[key] : undefined;
  return chosen ?? branch.default;
}

function exhaustedTarget(onExhausted: OnExhausted, onPass: Transition): string | undefined {
  if (onExhausted === "error") return undefined;
  return onExhausted === "skip" ? skipTarget(onPass) : onExhausted.fallback;
}

/** Where a flow goes on that leaves a step out. Never the end: a step that did not pass is no success. */
export function skipTarget({ next, fallback, branch }: Transition): string | undefined {
  const target = next ?? fallback ?? branch?.default;
  return target === "complete" ? undefined : target;
}
