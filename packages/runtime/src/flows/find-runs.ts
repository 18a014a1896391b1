// Runs of flows on disk: found by their folders, known by their journals.
import { join } from "node:path";
import { foldRecords, type RunHistory, type RunStanding } from "@codelia/flows";
import { ProtocolError } from "@codelia/protocol";
import { errorCode, type FlowRecord, FlowRecordSchema, visibleName } from "@codelia/shared-types";
import {
  type Disk,
  type LockOwner,
  lookAtLock,
  readJournal,
  StorageError,
  storageError,
} from "@codelia/storage";
import { type FoundSession, journalsIn } from "../sessions/index.ts";
import { flowsFolder, runsFolder } from "./places.ts";

export type FoundRun = FoundSession;

export interface RunScope {
  readonly codeliaHome: string;
  /** Absent: the runs of all repositories. */
  readonly repository?: string | undefined;
}

/** @output the last used first @error StorageError */
export async function findRuns(disk: Disk, scope: RunScope): Promise<FoundRun[]> {
  const { codeliaHome, repository } = scope;
  if (repository !== undefined) return await journalsIn(disk, [runsFolder(codeliaHome, repository)]);
  const all = flowsFolder(codeliaHome);
  const names = await disk.readdir(all).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return [];
    throw storageError("unreadable", all, error);
  });
  return await journalsIn(
    disk,
    names.map(({ name }) => join(all, name)),
  );
}

/**
 * @input  text: an id, or the beginning or end of one
 * @output the run, of this repository before others
 * @error  ProtocolError not_found, invalid_params when more than one has it
 */
export async function findRun(disk: Disk, scope: RunScope, text: string): Promise<FoundRun> {
  for (const place of [scope, { codeliaHome: scope.codeliaHome }]) {
    const all = await findRuns(disk, place);
    const exact = all.find(({ id }) => id === text);
    const matches = text === "" ? [] : all.filter(({ id }) => id.startsWith(text) || id.endsWith(text));
    const first = exact ?? matches[0];
    if (first === undefined) continue;
    if (exact !== undefined || matches.length === 1) return first;
    const ids = matches.slice(0, 5).map(({ id }) => id);
    throw new ProtocolError(
      "invalid_params",
      `${visibleName(text)}: more than one run has this in its id: ${ids.join(", ")}`,
      "Give more of the id.",
    );
  }
  throw new ProtocolError(
    "not_found",
    `${visibleName(text)}: there is no such run`,
    "See: codelia agent runs --all",
  );
}

export interface RunReading {
  readonly history: RunHistory;
  readonly records: readonly FlowRecord[];
  readonly startedAt: string;
  /** The process that has it open. */
  readonly owner: LockOwner | "unknown" | undefined;
}

/**
 * Reads without the lock.
 *
 * @output undefined: it is just being made
 * @error  ProtocolError unreadable, unsupported; StorageError
 */
export async function readRun(disk: Disk, { id, directory }: FoundRun): Promise<RunReading | undefined> {
  const lock = await lookAtLock(directory, { disk });
  const records: FlowRecord[] = [];
  let startedAt = "";
  for await (const { seq, at, record } of readJournal(directory, { disk })) {
    if (seq === 1) startedAt = at;
    records.push(parsedRecord(id, seq, record));
  }
  const history = foldRecords(records);
  const owner = lock === undefined ? undefined : (lock.owner ?? "unknown");
  if (history !== undefined) return { history, records, startedAt, owner };
  if (lock !== undefined) return undefined;
  throw new ProtocolError(
    "unreadable",
    `${id}: nothing of this run can be read`,
    `Nothing was done yet. Its folder can be removed: ${visibleName(directory)}`,
  );
}

/** @output whether it can be resumed: the flow has not ended, or something is left to be done for its issue */
export function canGoOn({ start, end, isWorkEnded }: RunHistory): boolean {
  if (end === undefined) return true;
  return end.result.success && start.work !== undefined && !isWorkEnded;
}

/** @output what became of a run of this repository; one that cannot be judged, as of a newer program, counts as open */
export async function standingOfRun(disk: Disk, scope: RunScope, id: string): Promise<RunStanding> {
  const run = (await findRuns(disk, scope)).find((each) => each.id === id);
  if (run === undefined) return "gone";
  try {
    const reading = await readRun(disk, run);
    return reading === undefined || canGoOn(reading.history) ? "open" : "ended";
  } catch (error) {
    if (error instanceof ProtocolError && error.code === "unreadable") return "gone";
    if (error instanceof ProtocolError || error instanceof StorageError) return "open";
    throw error;
  }
}

export function parsedRecord(id: string, seq: number, record: unknown): FlowRecord {
  const parsed = FlowRecordSchema.safeParse(record);
  if (parsed.success) return parsed.data;
  throw new ProtocolError(
    "unsupported",
    `${id}: record ${seq} is of a form that this version does not know`,
    "Use the Codelia that began the run. Nothing in it was changed.",
  );
}
