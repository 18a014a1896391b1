// `session.list`, `session.history`, `session.export`, `session.search` and `session.delete`.
import type { Params, Result } from "@codelia/protocol";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { openProject, type Project } from "../project/index.ts";
import {
  cursorOf,
  deleteSession as deleteFound,
  earlierCursorOf,
  earlierPositionAt,
  listSessions as listFound,
  positionAt,
  readEarlierTranscript,
  readTranscript,
  type SessionScope,
  searchSessions as searchFound,
} from "../sessions/index.ts";
import { foreignCursor, listPlaceOf, nextCursor } from "./list-cursor.ts";
import { chosenSession, findChosen } from "./session-choice.ts";

export async function listSessions(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, all, limit, cursor }: Params<"session.list">,
): Promise<Result<"session.list">> {
  const from = listPlaceOf(cursor);
  const project = await openProject(environment, options, cwd);
  const { next, ...listing } = await listFound(environment, scopeOf(project, all), limit, from);
  return { root: project.root.path, ...listing, ...nextCursor(next) };
}

export async function sessionHistory(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  params: Params<"session.history">,
): Promise<Result<"session.history">> {
  if (params.from === "end") return await historyFromEnd(environment, options, params);
  const { cwd, id, cursor, limit } = params;
  const from = cursor === undefined ? undefined : positionAt(cursor);
  if (cursor !== undefined && from === undefined) throw foreignCursor();
  const { found, session } = await chosenSession(environment, options, { cwd, id });
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

async function historyFromEnd(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, id, cursor, limit }: Params<"session.history">,
): Promise<Result<"session.history">> {
  const before = cursor === undefined ? undefined : earlierPositionAt(cursor);
  if (cursor !== undefined && before === undefined) throw foreignCursor();
  const { found, session } = await chosenSession(environment, options, { cwd, id });
  const page = await readEarlierTranscript(environment.disk, found.directory, {
    before,
    limit,
    isRunning: session.state === "running",
  });
  return {
    session,
    entries: [...page.entries],
    ...(page.earlier === undefined ? {} : { next_cursor: earlierCursorOf(page.earlier) }),
    newer_cursor: cursorOf(page.end),
    notices: page.damage === undefined ? [] : [page.damage],
  };
}

export async function exportSession(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, id, format, cursor }: Params<"session.export">,
): Promise<Result<"session.export">> {
  const { exportPart } = await import("../transcript/index.ts");
  const { found, session } = await chosenSession(environment, options, { cwd, id });
  const part = await exportPart(environment.disk, found, session, format, cursor);
  if (part === undefined) throw foreignCursor();
  const { text, cursor: next } = part;
  return { session, text, ...(next === undefined ? {} : { next_cursor: next }) };
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
  const found = await findChosen(environment, await openProject(environment, options, cwd), id);
  await deleteFound(environment, found);
  return { id: found.id };
}

function scopeOf({ codeliaHome, trust }: Project, all: boolean): SessionScope {
  return all ? { codeliaHome } : { codeliaHome, repository: trust.identity };
}
