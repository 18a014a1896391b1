// Runs the tool calls of one turn: prepare, decide, execute, finish. Results are recorded in the order of the calls.
import type {
  AgentsRecord,
  LoadedSkill,
  PermissionDecision,
  SeenFile,
  SessionRecordOf,
  ToolCallPart,
  ToolImage,
} from "@codelia/shared-types";
import { visibleText } from "@codelia/shared-types";
import { renderReminder } from "../agents/index.ts";
import type { AgentEvent, EmitEvent } from "../events/index.ts";
import { BoundedOutput, type OutputStore } from "../outputs/index.ts";
import type { SessionLog } from "../session/index.ts";
import { withoutReminders } from "../text/index.ts";
import { type PreparedCall, type Tool, type ToolAccess, ToolError } from "../tools/index.ts";
import { recordedChange } from "./recorded-change.ts";

/** Seams through which policies plug in. */
export interface ToolSeams {
  /** Whether the call may be executed. Asked one at a time, in order. */
  readonly decide: (call: DecidableCall) => Promise<PermissionDecision>;
  /** What the model has to be told because the call names these paths. Asked one at a time, in order. */
  readonly remind: (paths: readonly string[]) => Promise<Reminder>;
  readonly outputs: OutputStore;
  /** Keeps the content of a file that is about to be changed. @output where it is kept; it is on disk then */
  readonly keepContent: (content: Uint8Array) => Promise<string>;
  /** Which of these files the model has seen or lost sight of since this was last asked. */
  readonly takeSeen: (paths: readonly string[]) => SeenFile[];
  readonly now: () => number;
}

interface Reminder {
  readonly text: string | undefined;
  readonly records: AgentsRecord[];
}

export interface DecidableCall {
  readonly id: string;
  readonly tool: string;
  readonly prepared: PreparedCall;
}

export interface ToolRound {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly seams: ToolSeams;
  readonly signal: AbortSignal;
  readonly emit: EmitEvent;
  readonly log: SessionLog;
}

/** A result and the event that tells of it, once it is recorded. */
interface FinishedCall {
  /** Its own alone: with the result of another call it could outlive this one. */
  readonly seen: readonly string[];
  readonly record: SessionRecordOf<"message.tool">;
  readonly event: AgentEvent;
}

/**
 * Calls that only look run side by side. A call that writes or runs a command waits for those before it and is waited
 * for by those after it, so that each call sees what the one before it did.
 */
export async function runToolCalls(calls: readonly ToolCallPart[], round: ToolRound): Promise<void> {
  let lastRecorded: Promise<void> = Promise.resolve();
  const inOrder = (finishing: Promise<FinishedCall>, isDurable: boolean): Promise<void> => {
    const before = lastRecorded;
    lastRecorded = recordResult(finishing, before, isDurable, round);
    // Whoever waits last hears of it; until then it must not count as unhandled.
    lastRecorded.catch(() => undefined);
    return lastRecorded;
  };
  for (const call of calls) {
    const prepared = await prepareCall(call, round);
    if (!("execute" in prepared)) {
      void inOrder(Promise.resolve(prepared), false);
      continue;
    }
    const isExclusive = hasEffect(prepared.call.access);
    if (isExclusive) await lastRecorded;
    const recorded = inOrder(prepared.execute(), isExclusive);
    if (isExclusive) await recorded;
  }
  await lastRecorded;
}

/** Nobody is told of a result that could be lost. */
async function recordResult(
  finishing: Promise<FinishedCall>,
  before: Promise<void>,
  isDurable: boolean,
  { log, seams, emit }: ToolRound,
): Promise<void> {
  const [{ record, event, seen }] = await Promise.all([finishing, before]);
  await log.append({ ...record, seen: seams.takeSeen(seen) });
  if (isDurable) await log.flush();
  emit(event);
}

/** Reaching the network changes nothing here, but somebody there may count it. */
function hasEffect({ kind }: ToolAccess): boolean {
  return kind === "write" || kind === "command" || kind === "mcp";
}

interface ReadyCall {
  readonly call: PreparedCall;
  execute(): Promise<FinishedCall>;
}

async function prepareCall(call: ToolCallPart, round: ToolRound): Promise<ReadyCall | FinishedCall> {
  const tool = round.tools.get(call.name);
  if (tool === undefined) {
    const known = [...round.tools.keys()].join(", ");
    return failed(
      call,
      withoutReminders(`There is no tool named ${visibleText(call.name)}. There are: ${known}.`),
    );
  }
  const args = parseArguments(tool, call.arguments);
  if ("problem" in args) return failed(call, withoutReminders(args.problem));
  let prepared: PreparedCall;
  try {
    prepared = await tool.prepare(args.value);
  } catch (error) {
    return failed(call, withoutReminders(describeError(error)));
  }
  const reminder = await round.seams.remind(prepared.paths);
  const decision = await round.seams.decide({ id: call.id, tool: tool.name, prepared });
  await round.log.append({ type: "permission", callId: call.id, decision });
  round.emit({ type: "permission.decided", callId: call.id, tool: tool.name, decision });
  if (decision.decision === "deny") {
    const denial = renderReminder("permission.decision", `Denied: ${prepared.title}\n${decision.reason}`);
    const { title } = prepared;
    return failed(call, withReminder(denial, reminder.text), { title, agents: reminder.records });
  }
  return { call: prepared, execute: () => executeCall(call, prepared, decision, reminder, round) };
}

async function executeCall(
  call: ToolCallPart,
  prepared: PreparedCall,
  decision: PermissionDecision,
  reminder: Reminder,
  { seams, emit, signal, log }: ToolRound,
): Promise<FinishedCall> {
  const { title, paths, preview, changes = [] } = prepared;
  const effect = hasEffect(prepared.access);
  await log.append({ type: "tool.intent", callId: call.id, tool: call.name, title, effect });
  if (effect) await log.flush();
  emit({ type: "tool.started", callId: call.id, tool: call.name, title, preview, paths, changes });
  const start = seams.now();
  const output = new BoundedOutput(seams.outputs);
  const skills: LoadedSkill[] = [];
  const images: ToolImage[] = [];
  let isError = false;
  try {
    signal.throwIfAborted();
    await prepared.execute({
      decision,
      signal,
      output,
      presentSkill: (skill) => skills.push(skill),
      presentImage: (image) => images.push({ ...image, label: withoutReminders(image.label) }),
      intendChanges: async (intended) => {
        const recorded = await Promise.all(
          intended.map((change) => recordedChange(change, seams.keepContent)),
        );
        await log.append({ type: "files.change", callId: call.id, changes: recorded });
        await log.flush();
      },
    });
  } catch (error) {
    isError = true;
    await output.write(signal.aborted ? "Interrupted by the user before it ended." : describeError(error));
  }
  const { text, ref } = await output.finish();
  // After the cut, so that a reminder can never be cut off.
  return finished(call, title, withReminder(withoutReminders(text), reminder.text), {
    isError,
    seen: prepared.access.kind === "read" || prepared.access.kind === "write" ? prepared.access.paths : [],
    agents: reminder.records,
    skills,
    images,
    outputRef: ref,
    durationMs: seams.now() - start,
  });
}

function failed(
  call: ToolCallPart,
  output: string,
  { title = call.name, agents = [] }: { title?: string; agents?: AgentsRecord[] } = {},
): FinishedCall {
  const rest = {
    isError: true,
    seen: [],
    agents,
    skills: [],
    images: [],
    outputRef: undefined,
    durationMs: 0,
  };
  return finished(call, title, output, rest);
}

function finished(
  { id, name }: ToolCallPart,
  title: string,
  output: string,
  rest: {
    isError: boolean;
    seen: readonly string[];
    agents: AgentsRecord[];
    skills: LoadedSkill[];
    images: ToolImage[];
    outputRef: string | undefined;
    durationMs: number;
  },
): FinishedCall {
  const { isError, seen, agents, skills, images, outputRef, durationMs } = rest;
  return {
    seen,
    record: {
      type: "message.tool",
      message: {
        role: "tool",
        toolCallId: id,
        toolName: name,
        output,
        ...(images.length === 0 ? {} : { images }),
        isError,
      },
      ...(outputRef === undefined ? {} : { outputRef }),
      agents,
      ...(skills.length === 0 ? {} : { skills }),
      seen: [],
      interrupted: false,
    },
    event: { type: "tool.finished", callId: id, tool: name, title, output, isError, durationMs },
  };
}

function parseArguments(tool: Tool, text: string): { value: unknown } | { problem: string } {
  let json: unknown;
  try {
    json = JSON.parse(text === "" ? "{}" : text);
  } catch (error) {
    return {
      problem: `The arguments are not valid JSON (${describeError(error)}). Send the call again with valid JSON.`,
    };
  }
  const parsed = tool.parameters.safeParse(json);
  if (parsed.success) return { value: parsed.data };
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.join(".") || "arguments"}: ${message}`,
  );
  return {
    problem: `The arguments do not fit ${tool.name}: ${problems.join("; ")}. Send the call again, corrected.`,
  };
}

function describeError(error: unknown): string {
  if (error instanceof ToolError) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function withReminder(text: string, reminder: string | undefined): string {
  if (reminder === undefined) return text;
  return text === "" || text.endsWith("\n") ? `${text}${reminder}` : `${text}\n${reminder}`;
}
