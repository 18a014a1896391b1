// Runs the tool calls of one turn: prepare, decide, execute, finish. Results keep the order of the calls.
import type {
  AgentsRecord,
  PermissionDecision,
  SessionRecord,
  ToolCallPart,
  ToolMessage,
} from "@codelia/shared-types";
import { visibleText } from "@codelia/shared-types";
import { renderReminder } from "../agents/index.ts";
import { BoundedOutput, type OutputStore } from "../outputs/index.ts";
import { type PreparedCall, type Tool, ToolError } from "../tools/index.ts";
import type { EmitEvent } from "./events.ts";

/** Seams through which policies plug in. */
export interface ToolSeams {
  /** Whether the call may be executed. Asked one at a time, in order. */
  readonly decide: (call: DecidableCall) => Promise<PermissionDecision>;
  /** What the model has to be told because the call names these paths. Asked one at a time, in order. */
  readonly remind: (
    paths: readonly string[],
  ) => Promise<{ text: string | undefined; records: AgentsRecord[] }>;
  readonly outputs: OutputStore;
  readonly now: () => number;
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
  readonly append: (record: SessionRecord) => Promise<void>;
}

type ToolRecord = Extract<SessionRecord, { type: "message.tool" }>;

/**
 * Calls that only look run side by side. A call that writes or runs a command waits for those before it and is waited
 * for by those after it, so that each call sees what the one before it did.
 */
export async function runToolCalls(calls: readonly ToolCallPart[], round: ToolRound): Promise<ToolMessage[]> {
  const results: Promise<ToolRecord>[] = [];
  for (const call of calls) {
    const prepared = await prepareCall(call, round);
    if (!("execute" in prepared)) {
      results.push(Promise.resolve(prepared));
      continue;
    }
    const isExclusive = prepared.call.access.kind === "write" || prepared.call.access.kind === "command";
    if (isExclusive) await Promise.all(results);
    const result = prepared.execute();
    results.push(result);
    if (isExclusive) await result;
  }
  const messages: ToolMessage[] = [];
  for (const record of await Promise.all(results)) {
    await round.append(record);
    messages.push(record.message);
  }
  return messages;
}

interface ReadyCall {
  readonly call: PreparedCall;
  execute(): Promise<ToolRecord>;
}

async function prepareCall(call: ToolCallPart, round: ToolRound): Promise<ReadyCall | ToolRecord> {
  const tool = round.tools.get(call.name);
  if (tool === undefined) {
    const known = [...round.tools.keys()].join(", ");
    return failed(call, `There is no tool named ${visibleText(call.name)}. There are: ${known}.`, round);
  }
  const args = parseArguments(tool, call.arguments);
  if ("problem" in args) return failed(call, args.problem, round);
  let prepared: PreparedCall;
  try {
    prepared = await tool.prepare(args.value);
  } catch (error) {
    return failed(call, describeError(error), round);
  }
  const reminder = await round.seams.remind(prepared.paths);
  const decision = await round.seams.decide({ id: call.id, tool: tool.name, prepared });
  await round.append({ type: "permission", callId: call.id, decision });
  round.emit({ type: "permission.decided", callId: call.id, tool: tool.name, decision });
  if (decision.decision === "deny") {
    const denial = renderReminder("permission.decision", `Denied: ${prepared.title}\n${decision.reason}`);
    const { title } = prepared;
    return failed(call, withReminder(denial, reminder.text), round, { title, agents: reminder.records });
  }
  return { call: prepared, execute: () => executeCall(call, prepared, reminder, round) };
}

async function executeCall(
  call: ToolCallPart,
  prepared: PreparedCall,
  reminder: { text: string | undefined; records: AgentsRecord[] },
  round: ToolRound,
): Promise<ToolRecord> {
  const { seams, emit, signal, append } = round;
  await append({ type: "tool.intent", callId: call.id, tool: call.name, title: prepared.title });
  emit({ type: "tool.started", callId: call.id, tool: call.name, title: prepared.title });
  const start = seams.now();
  const output = new BoundedOutput(seams.outputs);
  let isError = false;
  try {
    signal.throwIfAborted();
    await prepared.execute({ signal, output });
  } catch (error) {
    isError = true;
    await output.write(signal.aborted ? "Interrupted by the user before it ended." : describeError(error));
  }
  const { text, ref } = await output.finish();
  // After the cut, so that a reminder can never be cut off.
  const message: ToolMessage = {
    role: "tool",
    toolCallId: call.id,
    toolName: call.name,
    output: withReminder(text, reminder.text),
    isError,
  };
  const durationMs = seams.now() - start;
  emit({
    type: "tool.finished",
    callId: call.id,
    tool: call.name,
    title: prepared.title,
    output: message.output,
    isError,
    durationMs,
  });
  return {
    type: "message.tool",
    message,
    ...(ref === undefined ? {} : { outputRef: ref }),
    agents: reminder.records,
  };
}

function failed(
  call: ToolCallPart,
  output: string,
  { emit }: ToolRound,
  { title = call.name, agents = [] }: { title?: string; agents?: AgentsRecord[] } = {},
): ToolRecord {
  emit({
    type: "tool.finished",
    callId: call.id,
    tool: call.name,
    title,
    output,
    isError: true,
    durationMs: 0,
  });
  const message: ToolMessage = {
    role: "tool",
    toolCallId: call.id,
    toolName: call.name,
    output,
    isError: true,
  };
  return { type: "message.tool", message, agents };
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
