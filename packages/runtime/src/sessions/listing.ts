// The sessions of a repository or of all, the last used first; only those that are shown are opened.
import type { Result } from "@codelia/protocol";
import { StorageError } from "@codelia/storage";
import { SessionError } from "./error.ts";
import { findSessions, type SessionScope } from "./find.ts";
import { type LookingPorts, summarise } from "./summary.ts";

export type Listing = Omit<Result<"session.list">, "root">;
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
): Promise<Listing> {
  const found = await findSessions(ports.disk, scope);
  const sessions: Listing["sessions"] = [];
  const problems: SessionProblem[] = [];
  for (const each of found) {
    if (sessions.length >= limit) break;
    try {
      const summary = await summarise(ports, each);
      if (summary !== undefined) sessions.push(summary);
    } catch (error) {
      problems.push({ id: each.id, problem: problemIn(error) });
    }
  }
  return { sessions, total: found.length, problems };
}

/** What is wrong with one session, in words. @error what is no fault of the session */
export function problemIn(error: unknown): string {
  if (error instanceof SessionError || error instanceof StorageError) return error.message;
  throw error;
}
