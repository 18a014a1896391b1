// What the model has been told about AGENTS.md, as a fold over the records that are still in its context.
import type { AgentsFileVersion, AgentsRecord } from "@codelia/shared-types";

export interface AgentsState {
  readonly cwd: string;
  readonly root: string;
  readonly markers: readonly string[];
  /** Directories whose candidates have been checked; not whole subtrees. */
  readonly coveredDirs: ReadonlySet<string>;
  /** Files the model has seen or was told of, in the version it was told of. */
  readonly loadedVersions: ReadonlyMap<string, AgentsFileVersion>;
  /** Skips that were told. */
  readonly reported: ReadonlySet<string>;
}

const emptyState: AgentsState = {
  cwd: "",
  root: "",
  markers: [],
  coveredDirs: new Set(),
  loadedVersions: new Map(),
  reported: new Set(),
};

/**
 * Rebuilds the state. Records that compaction, rewind or fork took out of the context are left out by the
 * caller, and so are forgotten: their files are presented again when next touched.
 */
export function foldAgentsRecords(records: Iterable<AgentsRecord>): AgentsState {
  let state = emptyState;
  for (const record of records) state = applyAgentsRecord(state, record);
  return state;
}

export function applyAgentsRecord(state: AgentsState, record: AgentsRecord): AgentsState {
  const base = record.type === "agents.initial" ? emptyState : state;
  const place = record.type === "agents.resolve" ? base : record;
  const loadedVersions = new Map(base.loadedVersions);
  for (const path of record.removed) loadedVersions.delete(path);
  for (const { path, version } of record.presented) loadedVersions.set(path, version);
  return {
    cwd: place.cwd,
    root: place.root,
    markers: place.markers,
    coveredDirs: new Set([...base.coveredDirs, ...record.coveredDirs]),
    loadedVersions,
    reported: new Set([...base.reported, ...record.reported]),
  };
}
