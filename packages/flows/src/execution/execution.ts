// A flow that can be run once: created, started, running, stopped.
import type { AgentResult, FlowDefinition, FlowRecordOf, IssueWork } from "@codelia/shared-types";
import { flowJournalFormat } from "@codelia/shared-types";
import { asAgentError, ExecutionError } from "../error.ts";
import { completeArguments } from "./arguments.ts";
import { FlowRun } from "./flow-run.ts";
import type { Dependencies, RunPlace } from "./ports.ts";
import { agentResult } from "./result.ts";
import { type RunHistory, RunLog } from "./run-log.ts";

export interface StartOptions {
  readonly cwd: string;
  /** Values of the flow's parameters. */
  readonly args?: Readonly<Record<string, string>>;
  /** Tells this run from others; made up when it is left out. */
  readonly id?: string;
  /** The issue that it works on. */
  readonly work?: IssueWork;
  /** What the user chose for all steps; kept for whoever resumes the run. */
  readonly chosen?: FlowRecordOf<"run.start">["chosen"];
}

export type ExecutionState = "Created" | "Started" | "Running" | "Stopped";

export class Execution {
  readonly #flow: FlowDefinition;
  readonly #dependencies: Dependencies;
  readonly #history: RunHistory | undefined;
  readonly #stopping = new AbortController();
  #state: ExecutionState = "Created";
  #place: RunPlace | undefined;
  #running: Promise<AgentResult> | undefined;

  /** @input flow: validated; history: of a run that was begun before; it is started already */
  constructor(flow: FlowDefinition, dependencies: Dependencies, history?: RunHistory) {
    this.#flow = flow;
    this.#dependencies = dependencies;
    this.#history = history;
    if (history === undefined) return;
    const { id, cwd, args } = history.start;
    this.#place = { id, cwd, args };
    this.#state = "Started";
  }

  get state(): ExecutionState {
    return this.#state;
  }

  /** Of the run; undefined before `start`. */
  get id(): string | undefined {
    return this.#place?.id;
  }

  /**
   * @input  options: where the run works, and the values of its parameters
   * @effects Created → Started; the run's first record is on disk
   * @error  ExecutionError AlreadyStarted; ConfigurationError BadArguments, with all of them; JournalFailed
   */
  async start({ cwd, args = {}, id = this.#newId(), work, chosen }: StartOptions): Promise<void> {
    if (this.#state !== "Created") throw new ExecutionError("AlreadyStarted", "The run was started before.");
    const flow = this.#flow;
    const place = { id, cwd, args: completeArguments(flow.parameters ?? {}, args) };
    this.#state = "Started";
    try {
      const start: FlowRecordOf<"run.start"> = {
        type: "run.start",
        format: flowJournalFormat,
        definition: flow,
        ...place,
        ...(work === undefined ? {} : { work }),
        ...(chosen === undefined ? {} : { chosen }),
      };
      const { journal, onRecord = () => undefined } = this.#dependencies;
      await new RunLog(journal, onRecord, undefined).append(start, "flushed");
      this.#place = place;
    } catch (error) {
      this.#state = "Created";
      throw error;
    }
  }

  /**
   * @output the Result; failures are in it. A second call gives the same one.
   * @effects queries, commands, records; Started → Running → Stopped
   * @error  ExecutionError NotStarted before `start`; nothing after it
   */
  async run(): Promise<AgentResult> {
    const place = this.#requireStarted();
    this.#running ??= this.#toItsEnd(place);
    return await this.#running;
  }

  /**
   * @output the Result, the same that `run` gives
   * @effects ends what is under way and releases what the run held; → Stopped. Safe to call again, at any moment.
   * @error  ExecutionError NotStarted before `start`
   */
  async stop(): Promise<AgentResult> {
    this.#requireStarted();
    this.#stopping.abort(new ExecutionError("Stopped", "The run was stopped."));
    return await this.run();
  }

  /**
   * Like `stop`, but the run does not end: what was under way counts as if the process had died, and it can be resumed.
   *
   * @output the Result of this process, a failure with the code Interrupted
   * @error  ExecutionError NotStarted before `start`
   */
  async interrupt(): Promise<AgentResult> {
    this.#requireStarted();
    this.#stopping.abort(new ExecutionError("Interrupted", "The run was interrupted; it can be resumed."));
    return await this.run();
  }

  async #toItsEnd(place: RunPlace): Promise<AgentResult> {
    this.#state = "Running";
    const result = await this.#result(place);
    this.#state = "Stopped";
    try {
      await this.#dependencies.release?.();
    } catch {
      // The Result stands: what could not be released is its owner's to mend.
    }
    return result;
  }

  async #result(place: RunPlace): Promise<AgentResult> {
    if (this.#history?.end !== undefined) return this.#history.end.result;
    try {
      const run = new FlowRun(this.#flow, place, this.#dependencies, this.#history);
      return await run.toItsEnd(this.#stopping.signal);
    } catch (error) {
      return agentResult({ failure: asAgentError(error).toFailure() }, [], {});
    }
  }

  #requireStarted(): RunPlace {
    if (this.#place === undefined) {
      throw new ExecutionError("NotStarted", "The run was not started. Call start first.");
    }
    return this.#place;
  }

  #newId(): string {
    const digits = Math.floor(this.#dependencies.random() * 36 ** 6).toString(36);
    return `run-${Date.now().toString(36)}-${digits.padStart(6, "0")}`;
  }
}
