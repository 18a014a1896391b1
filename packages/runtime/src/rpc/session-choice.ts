// The session that a request is about.
import { basename } from "node:path";
import { ProtocolError, type SessionSummary } from "@codelia/protocol";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { openProject, type Project } from "../project/index.ts";
import { type FoundSession, findSession, lastSession, summarise } from "../sessions/index.ts";

export interface ChosenSession {
  readonly project: Project;
  readonly found: FoundSession;
  readonly session: SessionSummary;
}

/** @error ProtocolError, SessionError, StorageError */
export async function chosenSession(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, id }: { readonly cwd: string; readonly id: string | undefined },
): Promise<ChosenSession> {
  const project = await openProject(environment, options, cwd);
  const found = await findChosen(environment, project, id);
  return { project, found, session: await summaryOf(environment, found) };
}

/** @input id: absent for the last session of the project */
export async function findChosen(
  environment: RuntimeEnvironment,
  project: Project,
  id: string | undefined,
): Promise<FoundSession> {
  const text = id ?? basename(await lastSession(environment, project));
  return await findSession(environment.disk, project.codeliaHome, project.trust.identity, text);
}

export async function summaryOf(
  environment: RuntimeEnvironment,
  found: FoundSession,
): Promise<SessionSummary> {
  const session = await summarise(environment, found);
  if (session !== undefined) return session;
  throw new ProtocolError("in_use", `${found.id}: this session is just being made`, "Try again in a moment.");
}
