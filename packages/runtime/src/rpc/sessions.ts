// `session.list`, `session.history`, `session.search` and `session.delete`.
import { basename } from "node:path";
import { type Params, ProtocolError, type Result } from "@codelia/protocol";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { openProject, type Project } from "../project/index.ts";
import {
  cursorOf,
  deleteSession as deleteFound,
  type FoundSession,
  findSession,
  lastSession,
  listSessions as listFound,
  positionAt,
  readTranscript,
  type SessionScope,
  searchSessions as searchFound,
  summarise,
} from "../sessions/index.ts";

export async function listSessions(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, all, limit }: Params<"session.list">,
): Promise<Result<"session.list">> {
  const project = await openProject(environment, options, cwd);
  return { root: project.root.path, ...(await listFound(environment, scopeOf(project, all), limit)) };
}

export async function sessionHistory(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, id, cursor, limit }: Params<"session.history">,
): Promise<Result<"session.history">> {
  const from = cursor === undefined ? undefined : positionAt(cursor);
  if (cursor !== undefined && from === undefined) {
    throw new ProtocolError("invalid_params", "the cursor is not one that a page gave");
  }
  const found = await sessionFor(environment, await openProject(environment, options, cwd), id);
  const session = await summarise(environment, found);
  if (session === undefined) {
    throw new ProtocolError(
      "in_use",
      `${found.id}: this session is just being made`,
      "Try again in a moment.",
    );
  }
  const page = await readTranscript(environment.disk, found.directory, {
    from,
    limit,
    isRunning: session.state === "running",
  });
  return {
    session,
    entries: [...page.entries],
    ...(page.next === undefined ? {} : { next_cursor: cursorOf(page.next) }),
    notices: page.damage === undefined ? [] : [page.damage],
  };
}

export async function searchSessions(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, text, all, limit }: Params<"session.search">,
): Promise<Result<"session.search">> {
  const project = await openProject(environment, options, cwd);
  return await searchFound(environment.disk, scopeOf(project, all), text, limit);
}

export async function deleteSession(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, id }: Params<"session.delete">,
): Promise<Result<"session.delete">> {
  const found = await sessionFor(environment, await openProject(environment, options, cwd), id);
  await deleteFound(environment, found);
  return { id: found.id };
}

function scopeOf({ codeliaHome, trust }: Project, all: boolean): SessionScope {
  return all ? { codeliaHome } : { codeliaHome, repository: trust.identity };
}

async function sessionFor(
  environment: RuntimeEnvironment,
  project: Project,
  id: string | undefined,
): Promise<FoundSession> {
  const text = id ?? basename(await lastSession(environment, project));
  return await findSession(environment.disk, project.codeliaHome, project.trust.identity, text);
}
