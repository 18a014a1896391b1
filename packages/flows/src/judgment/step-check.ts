// Whether a step did what it should, and where the flow goes then.
import type { CommandResult, FlowDefinition, FlowStep, StepCheckResult } from "@codelia/shared-types";
import { type AgentError, asAgentError, JudgmentError } from "../error.ts";
import { OutputExtractor } from "../handoff/index.ts";
import { type Move, Position } from "./position.ts";

/** What came of one iteration. */
export interface StepCheckContext {
  readonly iteration: number;
  readonly response: string;
  /** Validated; absent when the step declares none, or when there are problems. */
  readonly output?: Readonly<Record<string, unknown>> | undefined;
  /** Why the response does not hold the declared output. */
  readonly problems: readonly string[];
}

type CheckOf<T> = Extract<NonNullable<FlowStep["check"]>, { type: T }>;

/** Effects that a check needs. */
export interface Judges {
  /** @error AgentError when it could not be run */
  runCommand(check: CheckOf<"command">, context: StepCheckContext): Promise<CommandResult>;
  /** @output the judge's response @error AgentError */
  askModel(check: CheckOf<"prompt">, context: StepCheckContext): Promise<string>;
}

const asDeclared = "the output is as it was declared";

/** How much of a command's output a retry is shown. */
const shownOutput = 8_000;

export class StepCheck {
  readonly #judges: Judges;
  readonly #position: Position;
  #output: Readonly<Record<string, unknown>> | undefined;
  #lastMove: Move | undefined;

  constructor(flow: FlowDefinition, judges: Judges) {
    this.#judges = judges;
    this.#position = new Position(flow);
  }

  /** To look at; only `transition` and `giveUp` move it. */
  get position(): Pick<Position, "id" | "step" | "attempt" | "visit"> {
    return this.#position;
  }

  /** Why the last transition went where it did. */
  get lastReason(): string {
    return this.#lastMove?.reason ?? "";
  }

  /**
   * @input  context: what came of the step
   * @output passed or failed, with a message for a retry
   * @effects of the check's type: none for `schema`, a process for `command`, a query for `prompt`
   * @error  AgentError that is not recoverable; a check that could not be made this time has failed
   */
  async check(context: StepCheckContext): Promise<StepCheckResult> {
    this.#output = context.output;
    const { problems } = context;
    if (problems.length > 0) return { passed: false, message: problems.join("\n") };
    const { check } = this.#position.step;
    try {
      switch (check?.type) {
        case undefined:
          return {
            passed: true,
            message: context.output === undefined ? "there is nothing to check" : asDeclared,
          };
        case "schema":
          return { passed: true, message: asDeclared };
        case "command":
          return commandVerdict(check.command, await this.#judges.runCommand(check, context));
        case "prompt":
          return promptVerdict(await this.#judges.askModel(check, context));
      }
    } catch (error) {
      return failedVerdict(asAgentError(error));
    }
  }

  /**
   * @input  result: what `check` returned
   * @output the next step's id, or `complete`
   * @effects moves the position
   * @error  ExecutionError RetriesExhausted, VisitLimit
   */
  transition(result: StepCheckResult): string {
    const output = this.#output;
    // The next step must not branch on it, should it get no response of its own.
    this.#output = undefined;
    this.#lastMove = this.#position.move(result, output);
    return this.#lastMove.to;
  }

  /**
   * The step got no response although everything was tried.
   *
   * @output where the flow goes on: the step's fallback, or past it
   * @effects moves the position
   * @error  `error`, when the step says neither
   */
  giveUp(error: AgentError): string {
    this.#lastMove = this.#position.giveUp(error);
    return this.#lastMove.to;
  }
}

function commandVerdict(command: readonly string[], result: CommandResult): StepCheckResult {
  const { exitCode, timedOut } = result;
  const output = result.output.slice(-shownOutput);
  const name = command.join(" ");
  if (exitCode === 0 && !timedOut) return { passed: true, message: `${name} ended with 0`, output };
  const how = timedOut
    ? "did not end in time"
    : exitCode === undefined
      ? "was ended by a signal"
      : `ended with ${exitCode}`;
  return { passed: false, message: `${name} ${how}`, output };
}

const verdict = { result: { type: "string" }, message: { type: "string", required: false } } as const;

/** Anything but a clear "pass" is a failure. */
function promptVerdict(response: string): StepCheckResult {
  const { data } = new OutputExtractor().extract(response, verdict);
  const message = typeof data?.message === "string" ? data.message : "";
  if (data?.result === "pass")
    return { passed: true, message: message === "" ? "the judge passed it" : message };
  if (data?.result === "fail")
    return { passed: false, message: message === "" ? "the judge did not pass it" : message };
  return {
    passed: false,
    message: 'the judge gave no answer of the form {"result": "pass" or "fail", "message": …}',
  };
}

function failedVerdict(error: AgentError): StepCheckResult {
  if (!error.recoverable) throw error;
  const { message } =
    error instanceof JudgmentError
      ? error
      : new JudgmentError("CheckNotMade", `the check could not be made: ${error.message}`, { cause: error });
  return { passed: false, message };
}
