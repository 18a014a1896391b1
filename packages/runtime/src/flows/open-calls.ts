// Calls that had no result when a process died: what is known of them, and what a person says about them.
import type { CallProgress } from "@codelia/core";
import type { FileChangeRecord, SessionRecordOf, ToolCallPart } from "@codelia/shared-types";
import type { Disk } from "@codelia/storage";
import { lookAt } from "../undo/index.ts";

export type CallStanding =
  /** It can be run: it never began, only looks, or changed nothing. */
  | "not_done"
  | "done"
  /** Somebody has to look. */
  | "unknown";

const fileTools: readonly string[] = ["write", "edit", "apply_patch"];

export interface OpenCall {
  readonly call: ToolCallPart;
  readonly progress: CallProgress | undefined;
  /** Files that it was about to change; absent: it had not come so far. */
  readonly changes: readonly FileChangeRecord[] | undefined;
}

/** @effects reads files: their content says whether a change was made */
export async function standingOf(disk: Disk, { call, progress, changes }: OpenCall): Promise<CallStanding> {
  if (progress !== "effect") return "not_done";
  // What a file tool changes is on record before it changes anything.
  if (changes === undefined) return fileTools.includes(call.name) ? "not_done" : "unknown";
  const states = await Promise.all(changes.map((change) => stateOf(disk, change)));
  if (states.every((state) => state !== "after" && state !== "other")) return "not_done";
  if (states.every((state) => state !== "before" && state !== "other")) return "done";
  return "unknown";
}

async function stateOf(
  disk: Disk,
  { path, before, after }: FileChangeRecord,
): Promise<"before" | "after" | "same" | "other"> {
  if (before?.sha256 === after?.sha256) return "same";
  const found = await lookAt(disk, path);
  if (found.kind === "other" || (found.kind === "file" && found.sha256 === undefined)) return "other";
  const hash = found.kind === "file" ? found.sha256 : undefined;
  if (hash === after?.sha256) return "after";
  return hash === before?.sha256 ? "before" : "other";
}

/** The result of a call whose own result was lost. */
export function doneResult({ id, name }: ToolCallPart): SessionRecordOf<"message.tool"> {
  const output =
    "The session was interrupted before this result was kept. It is known that the call was done; what it printed is not.";
  return {
    type: "message.tool",
    message: { role: "tool", toolCallId: id, toolName: name, output, isError: false },
    agents: [],
    seen: [],
    interrupted: false,
  };
}
