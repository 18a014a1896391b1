// The contract of a run once more, in the simplest words: what must happen, for a definition and what the model does.
// Written from the specification alone; it shares no code with the engine.
import type { AgentFile, CompletionSpec, FlowStep, Transition } from "@codelia/shared-types";

/** What a model does when it is asked the next time. */
export type ModelAct =
  | {
      readonly act: "say";
      readonly k?: string | number | undefined;
      readonly done?: "alone" | "quoted" | undefined;
      readonly verdict?: "pass" | "fail" | undefined;
    }
  | { readonly act: "empty" | "down" | "limited" | "expired" | "auth" | "throw" | "hang" };

export type CommandAct = "zero" | "one" | "signal" | "throw" | "hang";

export interface Acts {
  readonly model: readonly ModelAct[];
  readonly commands: readonly CommandAct[];
}

export interface Contract {
  readonly agent: Omit<AgentFile, "steps">;
  readonly steps: Readonly<Record<string, FlowStep>>;
}

export interface Told {
  /** `success`, or the code of the failure. */
  readonly end: string;
  /** Step, visit, attempt, passed or not. */
  readonly way: string[];
  readonly transitions: string[];
  readonly outputs: Record<string, Record<string, unknown>>;
  readonly tokens: number;
}

export const tokensOfAnswer = 15;

class Ended extends Error {}

/** The answers that the model and the commands still have. */
class Script {
  readonly #acts: Acts;
  #asked = 0;
  #commanded = 0;

  constructor(acts: Acts) {
    this.#acts = acts;
  }

  model(): ModelAct {
    this.#asked += 1;
    return this.#acts.model[(this.#asked - 1) % this.#acts.model.length] ?? { act: "empty" };
  }

  command(): CommandAct {
    this.#commanded += 1;
    return this.#acts.commands[(this.#commanded - 1) % this.#acts.commands.length] ?? "zero";
  }
}

/** One question with its retries: an answer, or why the step got none. What ends the run is thrown. */
function ask(script: Script, { limits }: FlowStep, attempts: number): ModelAct | "gave up" | "too long" {
  let failures = 0;
  let isRenewed = false;
  for (;;) {
    const next = script.model();
    switch (next.act) {
      case "auth":
        throw new Ended("AuthError");
      case "throw":
        throw new Ended("Unexpected");
      case "hang":
        // The scripted model only hangs where there is a limit.
        return limits?.timeMs === undefined ? { act: "empty" } : "too long";
      case "expired":
        if (isRenewed) return "gave up";
        isRenewed = true;
        break;
      case "down":
      case "limited":
        failures += 1;
        if (failures >= attempts) return "gave up";
        break;
      case "say":
      case "empty":
        return next;
    }
  }
}

function holds(spec: CompletionSpec, iterations: number, said: ModelAct | undefined): boolean {
  if (spec.type === "iterationBudget") return iterations >= spec.iterations;
  if (spec.type === "composite") {
    const each = (condition: CompletionSpec) => holds(condition, iterations, said);
    return spec.mode === "any" ? spec.conditions.some(each) : spec.conditions.every(each);
  }
  const done = said?.act === "say" ? said.done : undefined;
  return spec.match === "contains" ? done !== undefined : done === "alone";
}

function target({ next, fallback, branch }: Transition, value: unknown): string {
  if (branch === undefined) return next ?? fallback ?? "complete";
  return branch.cases[String(value)] ?? branch.default;
}

export function interpret({ agent, steps }: Contract, acts: Acts): Told {
  const script = new Script(acts);
  const attempts = agent.recovery?.maxAttempts ?? 4;
  const way: string[] = [];
  const transitions: string[] = [];
  const outputs: Told["outputs"] = {};
  const done: { step: string; tokens: number }[] = [];
  const visits: Record<string, number> = {};
  let at = agent.entry ?? Object.keys(steps)[0] ?? "";
  let attempt = 1;
  visits[at] = 1;

  const stepAt = (id: string): FlowStep => {
    const found = steps[id];
    if (found === undefined) throw new Error(`no step ${id}`);
    return found;
  };
  const count = () => {
    const last = done.at(-1);
    if (last !== undefined) last.tokens += tokensOfAnswer;
  };
  const require = (holdsTrue: boolean, end: string) => {
    if (!holdsTrue) throw new Ended(end);
  };

  const requireAll = (step: FlowStep) => {
    const sum = (list: typeof done) => list.reduce((total, { tokens }) => total + tokens, 0);
    const own = done.filter((each) => each.step === at);
    require(done.length < (agent.limits?.iterations ?? 100), "IterationLimit");
    require(sum(done) < (agent.limits?.tokens ?? Number.POSITIVE_INFINITY), "TokenLimit");
    require(own.length < (step.limits?.iterations ?? Number.POSITIVE_INFINITY), "IterationLimit");
    require(sum(own) < (step.limits?.tokens ?? Number.POSITIVE_INFINITY), "TokenLimit");
    for (const [name, required] of Object.entries(step.inputs?.variables ?? {})) {
      const [from = "", key = ""] = name.split(".");
      require(required !== true || outputs[from]?.[key] !== undefined, "MissingRequiredInput");
    }
  };

  const passes = (step: FlowStep): boolean => {
    if (step.check?.type === "command") return script.command() === "zero";
    if (step.check?.type !== "prompt") return true;
    const judged = ask(script, step, attempts);
    if (typeof judged === "string") return false;
    count();
    return judged.act === "say" && judged.verdict === "pass";
  };

  /** @output whether the run is over */
  const goTo = (to: string): boolean => {
    if (to !== "complete") {
      const visit = (visits[to] ?? 0) + 1;
      require(visit <= (stepAt(to).limits?.visits ?? agent.limits?.visits ?? 10), "VisitLimit");
      visits[to] = visit;
    }
    transitions.push(`${at} → ${to}`);
    at = to;
    attempt = 1;
    return to === "complete";
  };

  const iterate = (): boolean => {
    const step = stepAt(at);
    const { output, onPass, onFail = { retry: true as const }, retries = 3, onExhausted = "error" } = step;
    requireAll(step);
    done.push({ step: at, tokens: 0 });
    const mark = (passed: boolean) => way.push(`${at}.${visits[at]}.${attempt} ${passed ? "+" : "-"}`);
    let said: ModelAct | undefined;
    let value: string | undefined;
    let passed = false;
    let gaveUp = false;
    try {
      const answer = ask(script, step, attempts);
      gaveUp = answer === "gave up";
      if (typeof answer !== "string") {
        count();
        said = answer;
        const k = answer.act === "say" ? answer.k : undefined;
        if (output !== undefined && typeof k === "string") {
          value = k;
          outputs[at] = { k };
        }
        passed = (output === undefined || value !== undefined) && passes(step);
      }
    } catch (error) {
      mark(false);
      throw error;
    }
    mark(passed);
    if (passed && agent.completion !== undefined && holds(agent.completion, done.length, said))
      return goTo("complete");
    const exhausted = (end: string): boolean => {
      require(onExhausted !== "error", end);
      return goTo(typeof onExhausted === "object" ? onExhausted.fallback : target(onPass, undefined));
    };
    if (gaveUp) return exhausted("connection");
    const transition: Transition = passed ? onPass : onFail;
    if (transition.retry !== true) return goTo(target(transition, value));
    if (attempt > retries) return exhausted("RetriesExhausted");
    transitions.push(`${at} → ${at}`);
    attempt += 1;
    return false;
  };

  let end = "success";
  try {
    while (!iterate()) {
      // Every iteration brings the run nearer to its hard cap.
    }
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    end = error.message;
  }
  return { end, way, transitions, outputs, tokens: done.reduce((total, { tokens }) => total + tokens, 0) };
}
