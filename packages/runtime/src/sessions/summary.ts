// What a list shows of a session, from its first record, its last ones, and its lock.
import type { SessionSummary } from "@codelia/protocol";
import { type FileSystem, visibleName } from "@codelia/shared-types";
import { type Disk, lookAtLock, readBackwards, readFirstEntry } from "@codelia/storage";
import { SessionError } from "./error.ts";
import type { FoundSession } from "./find.ts";
import { parseEntry } from "./read-records.ts";

export interface LookingPorts {
  readonly disk: Disk;
  readonly fs: FileSystem;
}

/**
 * @output undefined: it is just being made
 * @error  SessionError, StorageError: it cannot be read
 */
export async function summarise(
  { disk, fs }: LookingPorts,
  { id, directory, updatedAt }: FoundSession,
): Promise<SessionSummary | undefined> {
  const isRunning = await isInUse(disk, directory);
  const first = await readFirstEntry(directory, { disk });
  if (first === undefined) {
    if (isRunning) return undefined;
    throw headless(directory, id);
  }
  const record = parseEntry(first, directory)?.record;
  if (record?.type !== "session.start") throw headless(directory, id);
  const { title, cwd, root, model, forkedFrom, flow } = record;
  return {
    id,
    title,
    started_at: first.at,
    updated_at: updatedAt.toISOString(),
    cwd,
    root,
    root_is_gone: await isGone(fs, root),
    model,
    state: isRunning ? "running" : await lastState(disk, directory),
    ...(forkedFrom === undefined ? {} : { forked_from: forkedFrom.id }),
    ...(flow === undefined ? {} : { flow: { run_id: flow.run, agent: flow.agent, step: flow.step } }),
  };
}

/** Whether some process has it open. @error StorageError when that cannot be seen */
export async function isInUse(disk: Disk, directory: string): Promise<boolean> {
  return (await lookAtLock(directory, { disk })) !== undefined;
}

function headless(directory: string, id: string): SessionError {
  return new SessionError(
    "unreadable",
    `${visibleName(directory)}: the first record of this session cannot be read`,
    `Nothing in it was changed. Remove it with: codelia sessions delete ${id}`,
  );
}

/** A place that cannot be looked at is not known to be gone. */
async function isGone(fs: FileSystem, root: string): Promise<boolean> {
  try {
    return (await fs.stat(root)) === undefined;
  } catch {
    return false;
  }
}

async function lastState(disk: Disk, directory: string): Promise<SessionSummary["state"]> {
  for await (const entry of readBackwards(directory, { disk })) {
    const record = parseEntry(entry, directory)?.record;
    if (record?.type === "run.end") return record.status;
    if (record?.type === "message.user" || record?.type === "message.assistant") break;
  }
  return "interrupted";
}
