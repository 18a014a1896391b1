// When a run is complete: after a number of iterations, at a keyword, or by a combination of conditions.
import type { CompletionSpec, ContextCarry } from "@codelia/shared-types";

/** The iteration that has just ended. */
export interface CompletionContext {
  readonly iteration: number;
  readonly step: string;
  /** The model's last response; empty when there is none. */
  readonly response: string;
  /** To look at, not to change. */
  readonly carry: Readonly<ContextCarry>;
}

export interface CompletionResult {
  readonly complete: boolean;
  /** Set whenever it is complete. */
  readonly reason?: string;
}

export interface Completion {
  /**
   * @input  context: the iteration that has just ended
   * @effects counts it and remembers its response; the same iteration counts once
   */
  observe(context: CompletionContext): void;
  /**
   * @input  context: the iteration that has just ended; it is observed first where it was not
   * @output whether the run is complete; complete ⇒ a reason
   * @effects remembers the answer, which depends on nothing but what was observed
   */
  check(context?: CompletionContext): Promise<CompletionResult>;
  /** @output what `check` said last, false before @effects none */
  isComplete(): boolean;
  /** @output the reason that `check` gave last, empty without one @effects none */
  getReason(): string;
}

export function createCompletion(spec: CompletionSpec): Completion {
  return new ObservedCompletion(conditionOf(spec));
}

/** One condition: sees every iteration, then answers. */
interface Condition {
  observe(context: CompletionContext): void;
  /** @output the reason, or undefined while it does not hold */
  holds(): string | undefined;
}

class ObservedCompletion implements Completion {
  readonly #condition: Condition;
  #observed = 0;
  #last: CompletionResult = { complete: false };

  constructor(condition: Condition) {
    this.#condition = condition;
  }

  observe(context: CompletionContext): void {
    if (context.iteration <= this.#observed) return;
    this.#observed = context.iteration;
    this.#condition.observe(context);
  }

  async check(context?: CompletionContext): Promise<CompletionResult> {
    if (context !== undefined) this.observe(context);
    const reason = this.#condition.holds();
    this.#last = reason === undefined ? { complete: false } : { complete: true, reason };
    return this.#last;
  }

  isComplete(): boolean {
    return this.#last.complete;
  }

  getReason(): string {
    return this.#last.reason ?? "";
  }
}

function conditionOf(spec: CompletionSpec): Condition {
  switch (spec.type) {
    case "iterationBudget":
      return iterationBudget(spec.iterations);
    case "keywordSignal":
      return keywordSignal(spec.keyword, spec.match ?? "line");
    case "composite":
      return composite(spec.mode, spec.conditions.map(conditionOf));
  }
}

function iterationBudget(iterations: number): Condition {
  let seen = 0;
  return {
    observe: () => {
      seen += 1;
    },
    holds: () => (seen >= iterations ? `the budget of ${iterations} iterations is used` : undefined),
  };
}

function keywordSignal(keyword: string, match: "line" | "contains"): Condition {
  let response = "";
  const isSaid = () =>
    match === "contains"
      ? response.includes(keyword)
      : response.split(/\r?\n/).some((line) => line.trim() === keyword);
  return {
    observe: (context) => {
      response = context.response;
    },
    holds: () => (isSaid() ? `the model said ${JSON.stringify(keyword)}` : undefined),
  };
}

function composite(mode: "any" | "all", conditions: readonly Condition[]): Condition {
  return {
    observe: (context) => {
      for (const condition of conditions) condition.observe(context);
    },
    holds: () => {
      if (mode === "any") return firstReason(conditions);
      const reasons = conditions.map((condition) => condition.holds());
      return reasons.includes(undefined) || reasons.length === 0 ? undefined : reasons.join(" and ");
    },
  };
}

/** The conditions after it are not asked. */
function firstReason(conditions: readonly Condition[]): string | undefined {
  for (const condition of conditions) {
    const reason = condition.holds();
    if (reason !== undefined) return reason;
  }
  return undefined;
}
