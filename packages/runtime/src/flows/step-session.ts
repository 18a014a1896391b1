// The session of a step, entered for one query: new, or where an earlier query or process left it.
import { join } from "node:path";
import { interruptedResult } from "@codelia/core";
import { ExecutionError, type QueryOptions, SessionExpired } from "@codelia/flows";
import { sessionFormat } from "@codelia/shared-types";
import { type Disk, readFirstEntry } from "@codelia/storage";
import type { RuntimeEnvironment } from "../environment.ts";
import type { Project } from "../project/index.ts";
import {
  createSession,
  goOn,
  type OpenSession,
  openSession,
  type ResumedSession,
  repositoryFolder,
} from "../sessions/index.ts";
import { doneResult, standingOf } from "./open-calls.ts";
import { sessionOfEffect } from "./places.ts";
import { QueryFold } from "./query-fold.ts";

export interface StepSession {
  readonly session: OpenSession | ResumedSession;
  /** What its journal said when it was entered. */
  readonly known: QueryFold;
}

export interface StepPlace extends Pick<QueryOptions, "run" | "step" | "effect" | "session"> {
  readonly agent: string;
  readonly model: string;
}

const titleLength = 200;

/**
 * @effects opens or makes the session and takes its lock
 * @error  SessionExpired when the session to go on in is gone; ExecutionError when it is another run's; StorageError
 */
export async function enterStep(
  environment: RuntimeEnvironment,
  project: Project,
  prompt: string,
  place: StepPlace,
): Promise<StepSession> {
  const { run, step, effect, agent, model } = place;
  const folder = repositoryFolder(project.codeliaHome, project.trust.identity);
  const id = place.session ?? sessionOfEffect(run, effect);
  const known = new QueryFold();
  if (await isThere(environment.disk, join(folder, id))) {
    const session = await openSession(environment, join(folder, id), (entry) => known.apply(entry));
    if (session.state.start.flow?.run === run) return { session, known };
    await session.close();
    throw new ExecutionError("SessionMismatch", `The session ${id} does not belong to the run ${run}.`);
  }
  if (place.session !== undefined) throw new SessionExpired(`The session ${id} is no longer there.`);
  const { cwd, root, trust } = project;
  const session = await createSession(environment, folder, {
    type: "session.start",
    format: sessionFormat,
    id,
    program: environment.version,
    cwd,
    root: root.path,
    repository: trust.identity,
    model,
    title: `${agent}/${step}: ${prompt.trim()}`.slice(0, titleLength).toWellFormed(),
    flow: { run, agent, step },
  });
  return { session, known };
}

/** A process may have died before the first record was written: then nothing was begun. */
async function isThere(disk: Disk, directory: string): Promise<boolean> {
  return (await readFirstEntry(directory, { disk })) !== undefined;
}

/** What a person found out about calls that nobody knew the end of. */
export type Settlement = "done" | "repeat";

/**
 * Calls that are known to be done get a result, those that may be done again stay open, and all others are told to the
 * model as they are: it must not come to a repetition because nobody looked.
 *
 * @effects records; reads files
 */
export async function settleOpenCalls(
  disk: Disk,
  { session, known }: StepSession,
  settlement: Settlement | undefined,
): Promise<void> {
  if (!("state" in session)) return;
  const { conversation, progress } = session.state;
  for (const call of conversation.openCalls) {
    const far = progress.get(call.id);
    const standing = await standingOf(disk, { call, progress: far, changes: known.changesOf(call.id) });
    if (standing === "not_done" || (standing === "unknown" && settlement === "repeat")) continue;
    const isDone = standing === "done" || settlement === "done";
    await session.log.append(isDone ? doneResult(call) : interruptedResult(call, far ?? "not_started"));
  }
  await session.log.flush();
}

/** @output what the user says in the session now; undefined: the conversation goes on as it is */
export function nextPrompt(prompt: string, { known }: StepSession): string | undefined {
  // The same was asked before and has no answer: a process or a connection ended in between.
  if (known.prompt !== prompt || known.answer !== undefined) return prompt;
  return known.hasPart ? goOn : undefined;
}
