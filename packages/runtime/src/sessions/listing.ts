// The sessions of a repository or of all, the last used first; only those that are shown are opened.
import type { Result } from "@codelia/protocol";
import { StorageError } from "@codelia/storage";
import { SessionError } from "./error.ts";
import { findSessions, type SessionScope } from "./find.ts";
import { type LookingPorts, summarise } from "./summary.ts";

export type Listing = Omit<Result<"session.list">, "root" | "next_cursor">;

/** Behind the last session of a page. */
export interface ListPlace {
  readonly updatedMs: number;
  readonly id: string;
}
export type SessionProblem = Listing["problems"][number];

/**
 * A session that cannot be read is named and takes nobody's place.
 * @effects reads only; takes no lock
 * @error  StorageError when the sessions cannot be found
 */
export async function listSessions(
  ports: LookingPorts,
  scope: SessionScope,
  limit: number,
  from?: ListPlace,
): Promise<Listing & { readonly next?: ListPlace }> {
  const found = await findSessions(ports.disk, scope);
  const sessions: Listing["sessions"] = [];
  const problems: SessionProblem[] = [];
  let last = from;
  let isWhole = true;
  for (const each of found) {
    const place = { updatedMs: each.updatedAt.getTime(), id: each.id };
    if (from !== undefined && !isBehind(place, from)) continue;
    if (sessions.length >= limit) {
      isWhole = false;
      break;
    }
    last = place;
    try {
      const summary = await summarise(ports, each);
      if (summary !== undefined) sessions.push(summary);
    } catch (error) {
      problems.push({ id: each.id, problem: problemIn(error) });
    }
  }
  const page = { sessions, total: found.length, problems };
  return isWhole || last === undefined ? page : { ...page, next: last };
}

/** In the order of the list: the last used first. */
function isBehind(a: ListPlace, b: ListPlace): boolean {
  return a.updatedMs < b.updatedMs || (a.updatedMs === b.updatedMs && a.id < b.id);
}

/** A place as text that a face gives back. */
export function listCursorOf({ updatedMs, id }: ListPlace): string {
  return `${updatedMs}.${id}`;
}

/** @output undefined for what is no cursor */
export function listPlaceAt(cursor: string): ListPlace | undefined {
  const [, updatedMs, id] = /^(\d{1,15})\.([^.]{1,100})$/.exec(cursor) ?? [];
  return updatedMs === undefined || id === undefined ? undefined : { updatedMs: Number(updatedMs), id };
}

/** What is wrong with one session, in words. @error what is no fault of the session */
export function problemIn(error: unknown): string {
  if (error instanceof SessionError || error instanceof StorageError) return error.message;
  throw error;
}
