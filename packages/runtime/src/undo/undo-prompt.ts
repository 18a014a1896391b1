// Puts back the files that the last prompt's tools changed: all of them, or none.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Blobs, openBlobs } from "@codelia/storage";
import {
  damageNotice,
  openSession,
  type ResumedSession,
  readRecords,
  readStart,
  type SessionPorts,
  unknownRecord,
} from "../sessions/index.ts";
import { changeTogether, removeLeftovers, temporaryNameOf } from "../tools/index.ts";
import { nothingChanged, nothingLeft, notRecorded, refused, withoutChange } from "./errors.ts";
import { type FilePlan, planUndo } from "./plan.ts";
import { type PromptChanges, PromptChangesFold } from "./prompt-changes.ts";

export interface UndoOutcome {
  readonly id: string;
  /** The text of the prompt that was undone. */
  readonly prompt: string;
  readonly files: readonly Pick<FilePlan, "path" | "action">[];
  /** Commands that ran for the prompt: what they changed is not known, and stays. */
  readonly commands: readonly string[];
  /** What the user should know about how the session was opened. */
  readonly notices: readonly string[];
}

/**
 * A prompt that changed no file is passed over, and said: undoing again goes one prompt further back. An undo that was
 * ended in the middle is finished by the next one.
 * @input  directory: of the session
 * @effects takes the session's lock until it returns; records that files are about to be put back, then that they were
 * @error  SessionError: `nothing_to_undo`; `undo_refused`, with every file that somebody else changed; `undo_failed`,
 *         which says what is changed, if anything. StorageError, also when the session is in use.
 */
export async function undoLastPrompt(ports: SessionPorts, directory: string): Promise<UndoOutcome> {
  const fold = new PromptChangesFold();
  const session = await openSession(ports, directory, (entry) => fold.apply(entry));
  try {
    const prompt = lastOf(fold, session.id);
    if (prompt.files.size === 0) {
      await session.log.append({ type: "undo", prompt: prompt.seq, paths: [] });
      throw nothingChanged(session.id, prompt);
    }
    const files = await planOrRefuse(ports, session.blobs, session.id, prompt);
    await putBack(ports, session, prompt, files);
    return outcome(session.id, prompt, files, session.notices);
  } finally {
    await session.close();
  }
}

/** What `undoLastPrompt` would do. @effects none, so that it takes no lock @error as of `undoLastPrompt` */
export async function previewUndo(ports: SessionPorts, directory: string): Promise<UndoOutcome> {
  const fold = new PromptChangesFold();
  const { id, notices } = await readInto(fold, ports, directory);
  const prompt = lastOf(fold, id);
  if (prompt.files.size === 0) throw nothingChanged(id, prompt);
  const blobs = openBlobs(join(directory, "blobs"), ports.disk);
  return outcome(id, prompt, await planOrRefuse(ports, blobs, id, prompt), notices);
}

/** Reads a session without its lock. @error SessionError */
export async function readInto(
  fold: PromptChangesFold,
  { disk }: SessionPorts,
  directory: string,
): Promise<Pick<UndoOutcome, "id" | "notices">> {
  const start = await readStart(disk, directory);
  const reading = readRecords(disk, directory);
  for (;;) {
    const { done, value } = await reading.next();
    if (!done) fold.apply(value);
    else if (value.outcome === "unknown")
      throw unknownRecord(start, { ...value, record: { type: value.kind } });
    else return { id: start.id, notices: value.outcome === "whole" ? [] : [damageNotice(value.damage)] };
  }
}

function lastOf(fold: PromptChangesFold, id: string): PromptChanges {
  if (fold.last === undefined) throw nothingLeft(id);
  return fold.last;
}

async function planOrRefuse(
  { disk }: SessionPorts,
  blobs: Blobs,
  id: string,
  prompt: PromptChanges,
): Promise<readonly FilePlan[]> {
  const { files, foreign } = await planUndo(disk, blobs, [...prompt.files.values()]);
  if (foreign.length > 0) throw refused(id, prompt, foreign);
  return files;
}

async function putBack(
  { disk }: SessionPorts,
  { id, log }: ResumedSession,
  { seq, begun }: PromptChanges,
  files: readonly FilePlan[],
): Promise<void> {
  const changes = files.flatMap(({ change }) => change ?? []);
  const paths = changes.map(({ location }) => location.real);
  await log.append({ type: "undo.intent", prompt: seq, paths });
  await log.flush();
  const owner = ownerOf(id);
  await changeTogether(disk, changes, { temporaryName: () => temporaryNameOf(owner) }).catch((error) => {
    throw withoutChange(error);
  });
  if (begun.size > 0) await removeLeftovers(disk, [...begun, ...paths], owner);
  try {
    await log.append({ type: "undo", prompt: seq, paths: [...new Set([...begun, ...paths])] });
    await log.flush();
  } catch (error) {
    throw notRecorded(id, error);
  }
}

/** Whose temporary files they are, so that the next undo of this session can remove what this one leaves. */
function ownerOf(id: string): string {
  return `undo-${createHash("sha256").update(id).digest("hex").slice(0, 12)}-`;
}

function outcome(
  id: string,
  { text, commands }: PromptChanges,
  files: readonly FilePlan[],
  notices: readonly string[],
): UndoOutcome {
  return { id, prompt: text, files: files.map(({ path, action }) => ({ path, action })), commands, notices };
}
