// Decides what becomes of each file when a prompt is undone, before any of them is touched.
import type { Stats } from "node:fs";
import { explainSystemError } from "@codelia/core";
import { errorCode, visibleName } from "@codelia/shared-types";
import type { Blobs, Disk } from "@codelia/storage";
import { SessionError } from "../sessions/index.ts";
import { inParallel, lendingBits, type PlannedChange } from "../tools/index.ts";
import { type Found, lookAt } from "./look.ts";
import { type ChangedFile, noFile } from "./prompt-changes.ts";

export interface FilePlan {
  readonly path: string;
  /** `unchanged`: it is already what it was. */
  readonly action: "restored" | "removed" | "unchanged";
  readonly change: PlannedChange | undefined;
}

/** Somebody changed the file after the session did. */
export interface ForeignChange {
  readonly path: string;
  /** `changed`, `deleted`, `created`, `is a directory now`. */
  readonly words: string;
}

export interface UndoPlan {
  readonly files: readonly FilePlan[];
  readonly foreign: readonly ForeignChange[];
}

/**
 * @effects none but reading
 * @error  SessionError `undo_failed` where a file cannot be read, or its old content is gone
 */
export async function planUndo(disk: Disk, blobs: Blobs, changed: readonly ChangedFile[]): Promise<UndoPlan> {
  const plans: (FilePlan | ForeignChange)[] = [];
  await inParallel(changed, async (file, index) => {
    plans[index] = await failing(file.path, async () => planFile(blobs, file, await lookAt(disk, file.path)));
  });
  const files = plans.filter((plan) => "action" in plan);
  const foreign = plans.filter((plan) => "words" in plan);
  return { files, foreign };
}

async function planFile(blobs: Blobs, file: ChangedFile, found: Found): Promise<FilePlan | ForeignChange> {
  const { path, before } = file;
  if (found.kind === "other") return { path, words: found.words };
  const now = found.kind === "nothing" ? noFile : found.sha256;
  if (now === (before?.sha256 ?? noFile)) return { path, action: "unchanged", change: undefined };
  if (now === undefined || !file.left.has(now)) return { path, words: differenceOf(file, found) };
  const location = { path, real: path, shown: visibleName(path) };
  const stats = found.kind === "nothing" ? undefined : found.stats;
  if (before === undefined) {
    const change = { location, before: stats, content: undefined, look: undefined };
    return { path, action: "removed", change };
  }
  const { blob, mode } = before;
  if (!(await blobs.has(blob))) throw undoFailed(path, "its old content is no longer there");
  const look = lookBefore(mode, stats);
  return {
    path,
    action: "restored",
    change: { location, before: stats, content: () => blobs.read(blob), look },
  };
}

function differenceOf({ left }: ChangedFile, found: Found): string {
  if (found.kind === "nothing") return "deleted";
  return left.size === 1 && left.has(noFile) ? "created" : "changed";
}

/** The mode of before. What lends the owner's rights comes back only where the file still has it: else whose would it be? */
function lookBefore(mode: number, now: Stats | undefined): PlannedChange["look"] {
  if (now === undefined) return { mode: mode & ~lendingBits };
  return {
    mode: mode & (~lendingBits | now.mode),
    owner: { uid: now.uid, gid: now.gid },
  };
}

async function failing<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof SessionError || errorCode(error) === undefined) throw error;
    throw undoFailed(path, explainSystemError(error), error);
  }
}

function undoFailed(path: string, reason: string, cause?: unknown): SessionError {
  return new SessionError(
    "undo_failed",
    `${visibleName(path)}: cannot be put back: ${reason}`,
    "Nothing was changed. Mend the cause and undo again.",
    { cause },
  );
}
