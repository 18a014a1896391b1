// The flow's connection to a model: a query is a run of the agent loop in a session of its own.
import { join } from "node:path";
import { type AgentEvent, addedUsage, type RunResult } from "@codelia/core";
import { ExecutionError, type Probe, type QueryOptions, queryError, type SdkBridge } from "@codelia/flows";
import {
  type ApprovalMode,
  ApprovalModeSchema,
  type EffectIntent,
  type QueryResult,
  type Spent,
  type Usage,
  type UserMessage,
} from "@codelia/shared-types";
import { type AgentOptions, createAgent } from "../agent-factory.ts";
import type { RuntimeEnvironment } from "../environment.ts";
import type { OpenedConnection } from "../models/index.ts";
import type { Project } from "../project/index.ts";
import { repositoryFolder } from "../sessions/index.ts";
import { lookingTools } from "../tools/index.ts";
import type { FlowConnections } from "./connections.ts";
import { sessionOfEffect } from "./places.ts";
import { lookAtQuery, type ProbedQuery, probeQuery, type UnknownCall } from "./probe.ts";
import { RunServers } from "./run-servers.ts";
import { enterStep, nextPrompt, type Settlement, type StepSession, settleOpenCalls } from "./step-session.ts";

export interface BridgeOptions {
  readonly environment: RuntimeEnvironment;
  readonly project: Project;
  /** The flow agent's name. */
  readonly agent: string;
  readonly connections: FlowConnections;
  /** What the user chose: a step may have less, never more. */
  readonly approval: ApprovalMode;
  /** How to ask until the signal aborts. */
  readonly confirm: (signal: AbortSignal) => AgentOptions["approval"]["confirm"];
  /** What happens in a session, as it happens. */
  readonly onEvent: (event: AgentEvent, place: SessionPlace) => void;
  readonly notify: (notice: string) => void;
}

export interface SessionPlace {
  readonly session: string;
  readonly step: string;
  readonly purpose: QueryOptions["purpose"];
}

/** Of one query. A model that calls tools forever must not keep a run that nobody watches from its limits. */
const maxTurns = 300;

interface EffectPlace {
  readonly run: string;
  readonly number: number;
}

type QueryIntent = Extract<EffectIntent, { kind: "query" }>;

export class RuntimeBridge implements SdkBridge {
  readonly #options: BridgeOptions;
  readonly #settlements = new Map<number, Settlement>();
  readonly #told = new Set<string>();
  readonly #servers = new RunServers();
  #refusedCalls = 0;

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  /** Calls that were refused because nobody could be asked. */
  get refusedCalls(): number {
    return this.#refusedCalls;
  }

  /** What a person says about the calls of a query that nobody knew the end of. */
  settle(effect: number, settlement: Settlement): void {
    this.#settlements.set(effect, settlement);
  }

  async query(prompt: string, options: QueryOptions): Promise<QueryResult> {
    const { environment, project, agent, connections } = this.#options;
    const { run, step, effect, session } = options;
    const opened = await connections.openForStep(options.model);
    const place = { run, step, effect, session, agent, model: opened.model };
    const entered = await enterStep(environment, project, prompt, place);
    try {
      return await this.#ask(prompt, options, opened, entered);
    } finally {
      await entered.session.close();
    }
  }

  async probe(intent: QueryIntent, effect: EffectPlace): Promise<Probe<QueryResult>> {
    const { environment, connections } = this.#options;
    const { directory, query } = this.#place(intent, effect);
    return await probeQuery(environment.disk, directory, query, async (model, usage) => {
      const opened = await connections.open(model).catch(() => undefined);
      return opened?.costOf(usage);
    });
  }

  /** The call that makes the end of a query unknown. */
  async unknownCall(intent: QueryIntent, effect: EffectPlace): Promise<UnknownCall | undefined> {
    const { directory, query } = this.#place(intent, effect);
    return (await lookAtQuery(this.#options.environment.disk, directory, query)).unknownCall;
  }

  /** @effects ends the MCP servers that queries used */
  async close(): Promise<void> {
    await this.#servers.close();
  }

  /** Once a run: every session would say it again. */
  #tell(notice: string): void {
    if (!this.#told.has(notice)) this.#options.notify(notice);
    this.#told.add(notice);
  }

  #place(intent: QueryIntent, { run, number }: EffectPlace): { directory: string; query: ProbedQuery } {
    const { codeliaHome, trust } = this.#options.project;
    const session = intent.session ?? sessionOfEffect(run, number);
    const directory = join(repositoryFolder(codeliaHome, trust.identity), session);
    return { directory, query: { run, effect: number, session } };
  }

  async #ask(
    prompt: string,
    options: QueryOptions,
    opened: OpenedConnection,
    entered: StepSession,
  ): Promise<QueryResult> {
    const { environment, project, approval, confirm, onEvent } = this.#options;
    const { run, step, effect, purpose, signal } = options;
    const { session, known } = entered;
    const isBegun = known.query?.run === run && known.query.effect === effect;
    const before = isBegun ? known.usage : undefined;
    if (isBegun && known.answer !== undefined) return answered(known.answer, session.id, opened, known.usage);
    if (!isBegun) await session.log.append({ type: "flow.query", run, effect });
    await settleOpenCalls(environment.disk, entered, this.#settlements.get(effect));
    const next = nextPrompt(prompt, entered);
    const agent = await createAgent({
      environment,
      project,
      session,
      opened,
      approval: { mode: lower(approval, options.approval), confirm: confirm(signal) },
      compact: true,
      restriction: {
        tools: purpose === "check" ? lookingOnly(options.tools) : options.tools,
        onlyLooks: purpose === "check",
      },
      servers: this.#servers.forQuery(signal),
      openCalls: next === undefined ? "run" : "close",
      notify: (notice) => this.#tell(notice),
    });
    for (const notice of agent.notices) this.#tell(notice);
    try {
      const result = await agent.run(userMessage(next), {
        limits: { maxTurns },
        takeSteering: () => [],
        signal,
        emit: (event) => onEvent(event, { session: session.id, step, purpose }),
      });
      return queryResult(result, session.id, opened, before);
    } finally {
      this.#refusedCalls += agent.refusedCalls;
      await agent.dispose();
    }
  }
}

function userMessage(text: string | undefined): UserMessage | undefined {
  return text === undefined ? undefined : { role: "user", content: [{ type: "text", text }] };
}

/** Of two modes the one that asks more often: a definition cannot give itself leave. */
function lower(chosen: ApprovalMode, wanted: ApprovalMode | undefined): ApprovalMode {
  const modes = ApprovalModeSchema.options;
  return wanted === undefined || modes.indexOf(wanted) > modes.indexOf(chosen) ? chosen : wanted;
}

function lookingOnly(tools: readonly string[] = []): readonly string[] {
  return tools.filter((name) => lookingTools.includes(name));
}

/** @error AgentError with what was spent */
function queryResult(
  { outcome, text, usage: used, costUsd: cost }: RunResult,
  session: string,
  { costOf }: OpenedConnection,
  before: Usage | undefined,
): QueryResult {
  const earlier = before === undefined ? 0 : costOf(before);
  const usage = before === undefined ? used : addedUsage(before, used);
  const costUsd = cost === undefined || earlier === undefined ? undefined : cost + earlier;
  const spent: Spent = { usage, ...(costUsd === undefined ? {} : { costUsd }), session };
  switch (outcome.status) {
    case "done":
      return { text, ...spent, session };
    case "failed":
      throw queryError(outcome.failure, spent);
    case "limit": {
      const message =
        outcome.limit === "turns" ? `There was no answer after ${maxTurns} requests.` : outcome.message;
      throw new ExecutionError("AnswerCut", message, { recoverable: true, spent });
    }
    case "interrupted":
      throw new ExecutionError("Aborted", "The query was ended before it had an answer.", { spent });
  }
}

function answered(text: string, session: string, { costOf }: OpenedConnection, usage: Usage): QueryResult {
  const costUsd = costOf(usage);
  return { text, session, usage, ...(costUsd === undefined ? {} : { costUsd }) };
}
