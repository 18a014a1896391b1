// What must hold for a session that was ended at any moment. Each check answers with what is wrong, in words.
import type { RunEvent } from "@codelia/protocol";
import type { SessionEntry, SessionRecord, ToolCallPart } from "@codelia/shared-types";
import type { DiskState } from "./disk-model.ts";
import { type Effect, effects, effectsFile, versions } from "./scenario.ts";

/** Events whose records are not there: one record for each event of a kind. */
export function lostEvents(events: readonly RunEvent[], entries: readonly SessionEntry[]): string[] {
  const told = new Map<string, Set<number>>();
  return events.flatMap((event) => {
    const tells = recordOf(event);
    if (tells === undefined) return [];
    const taken = told.get(event.type) ?? new Set();
    told.set(event.type, taken);
    const entry = entries.find(({ seq, record }) => !taken.has(seq) && tells(record));
    if (entry === undefined) return [`lost: ${JSON.stringify(event).slice(0, 120)}`];
    taken.add(entry.seq);
    return [];
  });
}

const toolsWithEffect = ["write", "edit", "apply_patch", "bash"];

/** What outlives a power cut once it was told: that an effect begins, that it ended, that the run ended. */
export function lastingEvents(events: readonly RunEvent[]): RunEvent[] {
  return events.filter((event) =>
    event.type === "tool.started" || event.type === "tool.finished"
      ? toolsWithEffect.includes(event.tool)
      : event.type === "compaction.finished" || event.type === "run.finished",
  );
}

/** How to know the record that an event tells of; undefined: it has none, as half an answer has not. */
function recordOf(event: RunEvent): ((record: SessionRecord) => boolean) | undefined {
  switch (event.type) {
    case "run.started":
      return ({ type }) => type === "session.context";
    case "user.message":
      return (record) => record.type === "message.user" && JSON.stringify(record).includes(event.text);
    case "permission.decided":
      return (record) => record.type === "permission" && record.callId === event.call_id;
    case "tool.started":
      return (record) => record.type === "tool.intent" && record.callId === event.call_id;
    case "tool.finished":
      return (record) =>
        record.type === "message.tool" &&
        record.message.toolCallId === event.call_id &&
        record.message.output === event.output;
    case "usage":
      return (record) => "usage" in record && record.usage?.outputTokens === event.usage.output_tokens;
    case "compaction.finished":
      return ({ type }) => type === "compaction";
    case "compaction.failed":
      return ({ type }) => type === "compaction.failed";
    case "run.finished":
      return ({ type }) => type === "run.end";
    case "turn.started":
    case "turn.restarted":
    case "text.delta":
    case "reasoning.delta":
    case "compaction.started":
    case "run.notice":
    // It tells again what the call's record holds.
    case "todo.changed":
      return undefined;
  }
}

/** Files that hold neither what they held before nor what they were to hold, and commands that ran twice. */
export function brokenEffects(state: DiskState): string[] {
  const lines = effectLines(state);
  const repeated = lines.filter((line, index) => lines.indexOf(line) !== index);
  const broken = Object.entries(versions).filter(([path, texts]) => !texts.includes(textOf(state, path)));
  return [
    ...repeated.map((line) => `done twice: ${line}`),
    ...broken.map(([path]) => `neither old nor new: ${path}`),
  ];
}

/** Effects that nobody announced: an intent, and for files the way back, has to be on disk before. */
export function unannouncedEffects(state: DiskState, entries: readonly SessionEntry[]): string[] {
  return effects
    .filter((effect) => hasHappened(effect, state))
    .flatMap((effect) => {
      const announced = entries.some(
        ({ record }) => record.type === "tool.intent" && record.effect && record.callId === effect.call,
      );
      const hasWayBack = "line" in effect || hasChange(effect, entries);
      return announced && hasWayBack ? [] : [`not announced: ${JSON.stringify(effect).slice(0, 120)}`];
    });
}

function hasHappened(effect: Effect, state: DiskState): boolean {
  if ("line" in effect) return effectLines(state).includes(effect.line);
  const texts = versions[effect.path] ?? [];
  return texts.indexOf(textOf(state, effect.path)) >= texts.indexOf(effect.content);
}

function hasChange(
  { call, path }: { call: string; path: string },
  entries: readonly SessionEntry[],
): boolean {
  return entries.some(
    ({ record }) =>
      record.type === "files.change" &&
      record.callId === call &&
      record.changes.some((change) => change.path.endsWith(`/${path}`)),
  );
}

/** Blobs that records name and that are not there, or not whole. */
export function missingBlobs(state: DiskState, entries: readonly SessionEntry[]): string[] {
  const names = entries.flatMap(({ record }) => {
    if (record.type === "message.tool") return record.outputRef ?? [];
    if (record.type !== "files.change") return [];
    return record.changes.flatMap(({ before }) => before?.blob ?? []);
  });
  const blobs = new Map([...state].map(([path, content]) => [path.split("/").at(-1), content]));
  return names.filter((name) => {
    const content = blobs.get(name);
    return content === undefined || content === "directory" || content.length === 0;
  });
}

/** Calls of the last answer without a result. */
export function openCalls(entries: readonly SessionEntry[]): ToolCallPart[] {
  const last = entries.findLastIndex(({ record }) => record.type === "message.assistant");
  const record = entries[last]?.record;
  if (record?.type !== "message.assistant") return [];
  const results = entries
    .slice(last)
    .flatMap((entry) => (entry.record.type === "message.tool" ? entry.record.message.toolCallId : []));
  return record.message.content.filter(
    (part): part is ToolCallPart => part.type === "tool_call" && !results.includes(part.id),
  );
}

function effectLines(state: DiskState): string[] {
  return (textOf(state, effectsFile) ?? "").split("\n").filter((line) => line !== "");
}

export function textOf(state: DiskState, path: string): string | undefined {
  const content = state.get(path);
  return content === undefined || content === "directory" ? undefined : Buffer.from(content).toString();
}
