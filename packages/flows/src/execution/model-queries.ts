// The effects of one iteration: queries to the model and commands, each journalled, each ended by the iteration's signal.
import {
  type CommandResult,
  CommandResultSchema,
  type FlowDefinition,
  type FlowStep,
  type QueryResult,
  QueryResultSchema,
  type Spent,
} from "@codelia/shared-types";
import { queryWithRecovery } from "../connection/index.ts";
import { asAgentError, ExecutionError, errorOf, JudgmentError, SessionExpired } from "../error.ts";
import { deadline, orAborted } from "./abort.ts";
import { commandEffect, type DurableEffects, queryEffect } from "./effects.ts";
import type { Dependencies, RunPlace } from "./ports.ts";

const defaultCommandMs = 600_000;

export interface StepQuery {
  readonly purpose: "step" | "check";
  readonly step: string;
  readonly iteration: number;
  readonly prompt: () => Promise<string>;
  readonly session: string | undefined;
  readonly previousResponse: string | undefined;
  readonly tools: readonly string[] | undefined;
  readonly approval: FlowStep["approval"];
  readonly model: string | undefined;
  /** Hears of every attempt, of those before a crash too. */
  readonly onAttempt: (attempt: QueryAttempt) => void;
}

export interface QueryAttempt {
  /** Undefined when nothing is known of it. */
  readonly used: Spent | undefined;
  /** Where the next attempt goes on. */
  readonly session: string | undefined;
}

export class IterationEffects {
  readonly #flow: FlowDefinition;
  readonly #place: RunPlace;
  readonly #dependencies: Dependencies;
  readonly #effects: DurableEffects;

  constructor(flow: FlowDefinition, place: RunPlace, dependencies: Dependencies, effects: DurableEffects) {
    this.#flow = flow;
    this.#place = place;
    this.#dependencies = dependencies;
    this.#effects = effects;
  }

  /** @error AgentError, after everything was tried to recover; the signal's reason */
  async query(query: StepQuery, signal: AbortSignal): Promise<QueryResult> {
    const { clock, random } = this.#dependencies;
    return await queryWithRecovery(query, this.#flow.recovery ?? {}, {
      attempt: (prompt, session) => this.#heard(query, prompt, session, signal),
      random,
      wait: async (ms) => {
        // What follows is known already: there is nothing to wait for.
        if (!this.#effects.isReplaying) await clock.wait(ms, signal);
        if (signal.aborted) throw asAgentError(signal.reason);
      },
    });
  }

  async #heard(
    query: StepQuery,
    prompt: () => Promise<string>,
    session: string | undefined,
    signal: AbortSignal,
  ): Promise<QueryResult> {
    try {
      const result = await this.#attempt(query, prompt, session, signal);
      query.onAttempt({ used: result, session: result.session });
      return result;
    } catch (thrown) {
      const error = asAgentError(thrown);
      // Without a prompt nothing was asked.
      if (error.layer === "configuration") throw error;
      const { spent } = error;
      // An expired session must not be offered again, whatever becomes of the rest of the iteration.
      query.onAttempt({
        used: spent,
        session: error instanceof SessionExpired ? undefined : (spent?.session ?? session),
      });
      throw error;
    }
  }

  async #attempt(
    { purpose, step, iteration, tools, approval, model }: StepQuery,
    prompt: () => Promise<string>,
    session: string | undefined,
    signal: AbortSignal,
  ): Promise<QueryResult> {
    const { bridge, clock } = this.#dependencies;
    const { id: run, cwd } = this.#place;
    const probe = bridge.probe?.bind(bridge);
    return await this.#effects.perform<"query", QueryResult>({
      kind: queryEffect,
      step,
      iteration,
      describe: async () => ({
        kind: "query",
        purpose,
        step,
        iteration,
        prompt: await prompt(),
        ...(session === undefined ? {} : { session }),
        ...(tools === undefined ? {} : { tools: [...tools] }),
      }),
      act: async (intent, effect) => {
        const options = { session: intent.session, purpose, effect, run, step, cwd, tools, approval, model };
        let spent: Spent | undefined;
        const answering = (ending: AbortSignal) =>
          bridge.query(intent.prompt, { ...options, signal: ending }).catch((error: unknown) => {
            spent = asAgentError(error).spent;
            throw error;
          });
        const answer = await orAborted(answering, signal, clock).catch((error: unknown) => {
          // A query that was ended by a limit has used what it has used.
          throw errorOf(asAgentError(error).toFailure(), spent);
        });
        return parsed(QueryResultSchema.safeParse(answer), "The bridge's answer");
      },
      probe: probe && ((intent, number) => probe(intent, { run, number })),
    });
  }

  /** @error JudgmentError when it could not be run; the signal's reason */
  async command(
    check: {
      readonly command: readonly string[];
      readonly timeoutMs?: number | undefined;
      readonly repeatable?: boolean | undefined;
    },
    place: { readonly step: string; readonly iteration: number },
    signal: AbortSignal,
  ): Promise<CommandResult> {
    const { commands } = this.#dependencies;
    const { id: run } = this.#place;
    const probe = commands?.probe?.bind(commands);
    const command = [...check.command];
    return await this.#effects.perform<"command", CommandResult>({
      kind: commandEffect,
      ...place,
      describe: async () => ({ kind: "command", ...place, command, repeatable: check.repeatable === true }),
      act: async () => this.#run(command, check.timeoutMs ?? defaultCommandMs, signal),
      probe: probe && ((intent, number) => probe(intent, { run, number })),
    });
  }

  async #run(command: readonly string[], timeoutMs: number, outer: AbortSignal): Promise<CommandResult> {
    const { commands, clock } = this.#dependencies;
    if (commands === undefined)
      throw new ExecutionError("DependencyError", "There is nothing to run commands with.");
    const tooLong = new JudgmentError("CommandTimeout", "the command did not end in time");
    using limit = deadline(outer, clock, timeoutMs, () => tooLong);
    const timedOut = () => limit.signal.reason === tooLong;
    try {
      const options = { cwd: this.#place.cwd };
      const result = await orAborted(
        (signal) => commands.run(command, { ...options, signal }),
        limit.signal,
        clock,
      );
      return parsed(
        CommandResultSchema.safeParse({ ...result, timedOut: timedOut() }),
        "The command's result",
      );
    } catch (error) {
      if (timedOut()) return { timedOut: true, output: "" };
      if (outer.aborted) throw asAgentError(error);
      const reason = error instanceof Error ? error.message : String(error);
      throw new JudgmentError("CommandNotRun", `${command.join(" ")} could not be run: ${reason}`, {
        cause: error,
      });
    }
  }
}

/** What comes from outside is looked at once, here. */
function parsed<T>(result: { success: true; data: T } | { success: false; error: Error }, what: string): T {
  if (result.success) return result.data;
  throw new ExecutionError("BadAnswer", `${what} is not of its form: ${result.error.message}`);
}
