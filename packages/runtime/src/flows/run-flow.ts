// Makes a run of a flow ready: a new one, or one that a crash left open.
import { join } from "node:path";
import type { AgentEvent } from "@codelia/core";
import {
  AgentError,
  build,
  DefinitionError,
  type Dependencies,
  describeDefinitionProblem,
  type EffectDecision,
  type Execution,
  type FlowJournal,
  failedResult,
  type IndeterminateEffect,
  type IterationPlace,
  load,
  resume,
  systemClock,
  type ValidatedDefinition,
  validate,
} from "@codelia/flows";
import type {
  AgentResult,
  ApprovalMode,
  EffectIntent,
  FlowRecord,
  IssueWork,
  RunLimits,
} from "@codelia/shared-types";
import { quietly } from "@codelia/storage";
import type { AgentOptions } from "../agent-factory.ts";
import type { RuntimeEnvironment } from "../environment.ts";
import type { Project } from "../project/index.ts";
import { RuntimeBridge, type SessionPlace } from "./bridge.ts";
import { SandboxedCommands } from "./commands.ts";
import type { FlowConnections } from "./connections.ts";
import { runsFolder } from "./places.ts";
import type { UnknownCall } from "./probe.ts";
import { knownTools } from "./read-agent.ts";
import { newRunJournal, type OpenRunJournal } from "./run-journal.ts";
import type { Settlement } from "./step-session.ts";

/** Where a run works, what it reaches the outside with, and whom it tells. */
export interface FlowSurroundings {
  readonly environment: RuntimeEnvironment;
  readonly project: Project;
  readonly connections: FlowConnections;
  /** What the user chose: a step may have less, never more. */
  readonly approval: ApprovalMode;
  /** How to ask until the signal aborts. */
  readonly confirm: (signal: AbortSignal) => AgentOptions["approval"]["confirm"];
  readonly onRecord: (record: FlowRecord) => void;
  readonly onIteration: (place: IterationPlace) => void;
  readonly onEvent: (event: AgentEvent, place: SessionPlace) => void;
  readonly notify: (notice: string) => void;
}

export interface ReadyFlow {
  /** Started. */
  readonly execution: Execution;
  /** Calls and commands that were refused because nobody could be asked. */
  readonly refusedCalls: () => number;
  /** The effect at which the run stopped, because nobody knows what came of it. */
  readonly unknown: () => UnknownEffect | undefined;
}

export interface UnknownEffect {
  readonly intent: EffectIntent;
  /** Of a query: the call that was under way. */
  readonly call: UnknownCall | undefined;
}

export interface LoadedFlow {
  readonly definition: ValidatedDefinition;
  /** What the user should know: what is deprecated in it. */
  readonly notices: readonly string[];
}

/**
 * @output the definition, or the Result of a run that cannot begin
 * @effects reads the agent's directory
 */
export async function loadFlow(directory: string): Promise<LoadedFlow | AgentResult> {
  try {
    const { definition, errors, warnings } = validate(await load(directory), { tools: knownTools });
    if (definition === undefined) throw new DefinitionError("Invalid", errors);
    return { definition, notices: warnings.map(describeDefinitionProblem) };
  } catch (error) {
    if (error instanceof AgentError) return failedResult(error);
    throw error;
  }
}

export interface NewRun {
  readonly id: string;
  readonly args: Readonly<Record<string, string>>;
  /** As the user named it; undefined: the configured one. */
  readonly model: string | undefined;
  readonly limits: RunLimits;
  /** The issue that it works on. */
  readonly work?: IssueWork;
}

/**
 * @output a run that is on disk, or the Result of one that cannot begin: wrong parameters
 * @effects the run's journal and its lock, until the run has stopped
 */
export async function startFlow(
  surroundings: FlowSurroundings,
  definition: ValidatedDefinition,
  { id, args, model, limits, work }: NewRun,
): Promise<ReadyFlow | AgentResult> {
  const { environment, project, approval } = surroundings;
  const directory = join(runsFolder(project.codeliaHome, project.trust.identity), id);
  const journal = newRunJournal(environment, directory);
  const parts = runParts(surroundings, definition.flow.name, journal, undefined);
  try {
    const execution = build(definition, parts.dependencies, { limits });
    const chosen = { ...(model === undefined ? {} : { model }), approval };
    await execution.start({ cwd: project.cwd, id, args, chosen, ...(work === undefined ? {} : { work }) });
    return { execution, ...parts };
  } catch (error) {
    await parts.release();
    if (error instanceof AgentError) return failedResult(error);
    throw error;
  }
}

/**
 * @input  journal: of a run that was begun before, open; answer: what the user says about an effect of unknown end
 * @output the run, ready to go on with the definition that it began with
 * @error  ConfigurationError NoRun; the journal is closed then
 */
export async function resumeFlow(
  surroundings: FlowSurroundings,
  agent: string,
  journal: OpenRunJournal,
  answer: Settlement | undefined,
): Promise<ReadyFlow> {
  const parts = runParts(surroundings, agent, journal, answer);
  try {
    return { execution: resume(journal.records, parts.dependencies), ...parts };
  } catch (error) {
    await parts.release();
    throw error;
  }
}

interface RunParts extends Omit<ReadyFlow, "execution"> {
  readonly dependencies: Dependencies;
  readonly release: () => Promise<void>;
}

function runParts(
  surroundings: FlowSurroundings,
  agent: string,
  journal: FlowJournal & { close(): Promise<void> },
  answer: Settlement | undefined,
): RunParts {
  const { environment, project, connections, approval, confirm, onRecord, onIteration, onEvent, notify } =
    surroundings;
  const shared = { environment, project, approval, confirm, notify };
  const bridge = new RuntimeBridge({ ...shared, agent, connections, onEvent });
  const commands = new SandboxedCommands(shared);
  let unknown: UnknownEffect | undefined;
  const decide = async (effect: IndeterminateEffect): Promise<EffectDecision> => {
    if (answer !== undefined) return decisionFor(effect, answer, bridge);
    const { intent } = effect;
    const call = intent.kind === "query" ? await bridge.unknownCall(intent, effect) : undefined;
    unknown = { intent, call };
    return { action: "stop" };
  };
  const release = async () => {
    await quietly(() => bridge.close());
    await quietly(() => commands.dispose());
    await quietly(() => connections.close());
    await journal.close();
  };
  return {
    dependencies: {
      bridge,
      commands,
      journal,
      clock: systemClock,
      random: Math.random,
      fs: environment.fs,
      decide,
      onRecord,
      onIteration,
      release,
    },
    release,
    refusedCalls: () => bridge.refusedCalls + commands.refusedCalls,
    unknown: () => unknown,
  };
}

/** A query goes on in its session, where what the user said becomes known to the model. */
function decisionFor(
  { number, intent }: IndeterminateEffect,
  answer: Settlement,
  bridge: RuntimeBridge,
): EffectDecision {
  if (intent.kind === "query") {
    bridge.settle(number, answer);
    return { action: "repeat" };
  }
  if (answer === "repeat") return { action: "repeat" };
  const result = { exitCode: 0, timedOut: false, output: "" };
  return { action: "result", outcome: { kind: "command", result } };
}
