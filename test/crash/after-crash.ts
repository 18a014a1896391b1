// Looks at what a crash left, enters the session again, and says all that is wrong.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { RunEvent } from "@codelia/protocol";
import type { SessionEntry } from "@codelia/shared-types";
import type { JournalDamage } from "@codelia/storage";
import {
  isClaimOrDraft,
  type ReadSession,
  readSession,
  resume,
  sessionDirectory,
  stateOf,
} from "./crash-scene.ts";
import type { DiskState } from "./disk-model.ts";
import { brokenEffects, lostEvents, missingBlobs, openCalls, unannouncedEffects } from "./session-checks.ts";

export interface Crash {
  /** Of the tree that was left. */
  readonly top: string;
  /** Records of the run, had it not been ended; where they are known. */
  readonly whole?: readonly SessionEntry[];
  /** What must not be lost. */
  readonly events: readonly RunEvent[];
}

/** @effects the session is resumed, where there is one @output problems in words; none: all is well */
export async function problemsAfter({ top, whole, events }: Crash): Promise<string[]> {
  const state = stateOf(top);
  const directory = sessionDirectory(top, state);
  const { entries, damage } =
    directory === undefined ? { entries: [], damage: undefined } : await readSession(directory);
  const expected = (whole ?? entries).slice(0, entries.length);
  const found = [
    ...differences("the records", entries, expected),
    ...(damage === undefined || damage.reason === "torn" ? [] : [describeDamage(damage)]),
    ...lostEvents(events, entries),
    ...brokenEffects(state),
    ...unannouncedEffects(state, entries),
    ...missingBlobs(state, entries),
  ];
  if (directory === undefined || entries.length === 0) return found;
  return [...found, ...(await resumeProblems({ top, directory, entries, damage }))];
}

export interface LeftSession extends ReadSession {
  readonly top: string;
  readonly directory: string;
}

/** @input what can be read of the session before it is resumed @output problems in words */
export async function resumeProblems({ top, directory, entries, damage }: LeftSession): Promise<string[]> {
  const before = stateOf(top);
  const open = openCalls(entries);
  const { result, events } = await resume(
    top,
    basename(directory),
    open.length === 0 ? undefined : "Interrupted. The session ended",
  );
  const after = await readSession(directory);
  const state = stateOf(top);
  const hadContext = entries.some(({ record }) => record.type === "session.context");
  const added = [
    hadContext ? "session.resume" : "session.context",
    ...open.map(({ id }) => `message.tool ${id} interrupted`),
    "message.user",
    "request",
    "message.assistant",
    "run.end",
  ];
  return [
    ...differences("the notices", noticesIn(events), damage === undefined ? [] : [noticeOf(damage)]),
    ...(result.status === "done" ? [] : [`the resumed run ended as ${result.status}: ${result.error}`]),
    ...differences("the records before", after.entries.slice(0, entries.length), entries),
    ...differences("the records after", after.entries.slice(entries.length).map(named), added),
    ...differences("the project", projectOf(state), projectOf(before)),
    ...(after.damage === undefined ? [] : ["the journal is damaged after the resume"]),
    ...[...state.keys()].filter(isLeftover).map((path) => `left behind: ${basename(path)}`),
  ];
}

/** With what stands there: a damage that no crash explains cannot be asked for again. */
function describeDamage({ path, seq, offset, reason }: JournalDamage): string {
  const journal = readFileSync(path, "latin1");
  const around = JSON.stringify([
    journal.slice(Math.max(0, offset - 80), offset),
    journal.slice(offset, offset + 400),
  ]);
  return `damaged: ${reason} of record ${seq} at ${offset} of ${journal.length}: ${around}`;
}

/** What the user is told first. */
function noticesIn(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === "run.started" ? event.notices.map((notice) => notice.replace(/: .*/, "")) : [],
  );
}

function noticeOf({ seq, reason }: JournalDamage): string {
  return `The session's journal is damaged from record ${seq} on (${reason})`;
}

function named({ record }: SessionEntry): string {
  if (record.type !== "message.tool") return record.type;
  return `message.tool ${record.message.toolCallId}${record.interrupted ? " interrupted" : ""}`;
}

function projectOf(state: DiskState): [string, unknown][] {
  return [...state].filter(([path]) => path.startsWith("repo/")).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Of the session: what is beside the project's files is the project's. */
function isLeftover(path: string): boolean {
  return path.startsWith("home/") && isClaimOrDraft(path);
}

function differences(what: string, is: unknown, expected: unknown): string[] {
  if (Bun.deepEquals(is, expected)) return [];
  return [
    `${what}: ${JSON.stringify(is).slice(0, 400)} instead of ${JSON.stringify(expected).slice(0, 400)}`,
  ];
}
