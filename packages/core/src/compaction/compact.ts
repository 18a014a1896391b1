// Makes room in a conversation: a summary, every word of the user and the last turns stay; the rest is left out.
import type {
  AgentsInForce,
  CompactionTrigger,
  Message,
  ModelConnection,
  SessionRecordOf,
  ToolDefinition,
  Usage,
  UserMessage,
} from "@codelia/shared-types";
import { foldAgentsRecords } from "../agents/index.ts";
import { addedUsage } from "../response/index.ts";
import type { Conversation, ConversationItem } from "../session/index.ts";
import { type CarriedText, compactedMessage } from "./compacted-message.ts";
import { planCompaction } from "./plan.ts";
import { textTokens, toolsSize, totalSize } from "./size.ts";
import { cutForSummary, requestSummary, summaryQuestion } from "./summary-request.ts";
import { type KeepText, trimOutputs } from "./trim.ts";

export interface CompactionRequest {
  readonly conversation: Conversation;
  readonly prefix: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly connection: ModelConnection;
  readonly cacheKey: string;
  readonly trigger: CompactionTrigger;
  /** Tokens that fit. */
  readonly window: number;
  readonly carried: readonly CarriedText[];
  readonly keep: KeepText;
  readonly signal: AbortSignal;
}

export type CompactionOutcome =
  | {
      readonly outcome: "compacted";
      readonly record: SessionRecordOf<"compaction">;
      readonly usages: readonly Usage[];
    }
  | { readonly outcome: "failed"; readonly reason: string; readonly usages: readonly Usage[] }
  | { readonly outcome: "aborted" };

/** Of the window, for the turns that stay. */
const keptShare = 0.25;
/** Of the window, for summaries of compactions before; older ones are kept by reference. */
const summariesShare = 0.125;
/** Tokens that a summary on request has to stand for: it costs a request, and takes room itself. */
const worthwhile = 1000;
/** How much of an output a request for a summary may carry, when more did not fit. */
const cuts = [8192, 1024, 128] as const;

/**
 * @output the record to append; nothing has changed before it is
 * @effects requests to the model; outputs and old summaries that leave the context are kept by reference
 * @error  only what `keep` throws
 */
export async function compact(request: CompactionRequest): Promise<CompactionOutcome> {
  const { conversation, window, trigger } = request;
  // Who asks for room wants some, however much of the window is free.
  const isWanted = trigger === "request";
  const budget = isWanted ? Math.min(window, totalSize(conversation.messages)) : window;
  const plan = planCompaction(conversation.items, Math.floor(budget * keptShare));
  const isTooLittle = isWanted && totalSize((plan?.dropped ?? []).map(({ message }) => message)) < worthwhile;
  if (plan === undefined || isTooLittle) {
    const reason = isWanted
      ? "there is nothing to leave out yet"
      : "there is nothing to leave out: the instructions and the last turns alone fill the window";
    return { outcome: "failed", reason, usages: [] };
  }
  const summary = await summarise(request);
  if (summary.outcome !== "summary") return summary;
  const previous = conversation.lastCompaction;
  const parts = {
    summaries: await boundedSummaries([...(previous?.summaries ?? []), summary.text], request),
    instructions: [...(previous?.instructions ?? []), ...saidByUser(plan.dropped)],
    agentsInForce: agentsInForce(conversation),
  };
  const record: SessionRecordOf<"compaction"> = {
    type: "compaction",
    trigger,
    keptFrom: plan.kept[0]?.seq ?? Number.MAX_SAFE_INTEGER,
    message: compactedMessage({ ...parts, movedTo: conversation.movedTo, carried: request.carried }),
    ...parts,
    trimmed: plan.isTight ? await trimOutputs(plan.kept, request.keep) : [],
    ...(summary.usages.length === 0 ? {} : { usage: summary.usages.reduce(addedUsage) }),
  };
  return { outcome: "compacted", record, usages: summary.usages };
}

type Summarised =
  | { readonly outcome: "summary"; readonly text: string; readonly usages: readonly Usage[] }
  | Exclude<CompactionOutcome, { outcome: "compacted" }>;

/** What cannot be sent as it stands is sent with its outputs cut, more and more. Nothing is kept of that. */
async function summarise(request: CompactionRequest): Promise<Summarised> {
  const { conversation, connection, trigger, prefix, tools, cacheKey, window, signal } = request;
  const usages: Usage[] = [];
  const fixed = totalSize([...prefix, summaryQuestion]) + toolsSize(tools);
  const limits = trigger === "overflow" ? cuts : [Number.POSITIVE_INFINITY, ...cuts];
  for (const limit of limits) {
    const messages = cutForSummary(conversation.messages, limit);
    if (limit !== cuts.at(-1) && fixed + totalSize(messages) > window) continue;
    const answer = await requestSummary(
      connection,
      { messages: [...prefix, ...messages, summaryQuestion], tools: [...tools], cacheKey },
      signal,
    );
    if (answer.outcome === "aborted") return answer;
    if (answer.usage !== undefined) usages.push(answer.usage);
    if (answer.outcome === "summary") return { outcome: "summary", text: answer.text, usages };
    if (answer.outcome === "failed") return { outcome: "failed", reason: answer.reason, usages };
  }
  const reason = "the conversation does not fit into the model's window, not even with its outputs cut";
  return { outcome: "failed", reason, usages };
}

/** The newest stay word for word; those beyond the share are kept whole elsewhere, and named. */
async function boundedSummaries(
  summaries: readonly string[],
  { window, keep }: CompactionRequest,
): Promise<string[]> {
  let remaining = window * summariesShare;
  const bounded: string[] = [];
  for (const [index, summary] of [...summaries.entries()].toReversed()) {
    remaining -= textTokens(summary);
    const isNew = index >= summaries.length - 2;
    if (isNew || remaining >= 0 || summary.startsWith(referenceStart)) bounded.unshift(summary);
    else bounded.unshift(`${referenceStart}${await keep(summary)} (tool_output_read).`);
  }
  return bounded;
}

const referenceStart = "An older summary, kept whole as ref ";

function saidByUser(items: readonly ConversationItem[]): UserMessage[] {
  return items.flatMap(({ origin, message }) =>
    origin === "prompt" && message.role === "user" ? [message] : [],
  );
}

/** What was named in a tool result or a note and holds; the files of the session's start stay in its fixed messages. */
function agentsInForce(conversation: Conversation): AgentsInForce[] {
  const records = conversation.agentsRecords();
  const files = new Map(conversation.lastCompaction?.agentsInForce.map((file) => [file.path, file]));
  for (const path of records.flatMap(({ removed }) => removed)) files.delete(path);
  const initial = new Set(conversation.context?.agents.presented.map(({ path }) => path));
  for (const [path, { mtimeMs }] of foldAgentsRecords(records).loadedVersions) {
    const isStart = initial.has(path) && !records.slice(1).some((record) => isPresented(record, path));
    if (!isStart) files.set(path, { path, mtimeMs: Math.trunc(mtimeMs) });
  }
  return [...files.values()];
}

function isPresented({ presented }: { presented: readonly { path: string }[] }, path: string): boolean {
  return presented.some((file) => file.path === path);
}
