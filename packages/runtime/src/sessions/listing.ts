// The sessions of a repository or of all, the last used first.
import type { SessionSummary } from "@codelia/protocol";
import { StorageError } from "@codelia/storage";
import { SessionError } from "./error.ts";
import { type FoundSession, findSessions, type SessionScope } from "./find.ts";
import { type ListPage, type ListPlace, type ListProblem, pageOf } from "./page.ts";
import { type LookingPorts, summarise } from "./summary.ts";

export type SessionProblem = ListProblem;

export interface Listing extends Omit<ListPage<SessionSummary>, "shown"> {
  readonly sessions: SessionSummary[];
}

/**
 * @effects reads only; takes no lock
 * @error  StorageError when the sessions cannot be found
 */
export async function listSessions(
  ports: LookingPorts,
  scope: SessionScope,
  limit: number,
  from?: ListPlace,
): Promise<Listing> {
  const found = await findSessions(ports.disk, scope);
  const look = (each: FoundSession) => summarise(ports, each);
  const { shown, ...page } = await pageOf(found, { limit, from, look, problemIn });
  return { sessions: shown, ...page };
}

/** What is wrong with one session, in words. @error what is no fault of the session */
export function problemIn(error: unknown): string {
  if (error instanceof SessionError || error instanceof StorageError) return error.message;
  throw error;
}
