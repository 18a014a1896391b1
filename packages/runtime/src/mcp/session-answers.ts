// What was said about servers in one session, by the user and to them: it holds from one prompt to the next, as long as
// the program runs.
import type { McpApproval } from "@codelia/shared-types";
import type { ConfiguredServer } from "./configured-server.ts";

type Named = Pick<ConfiguredServer, "name" | "owner">;

export type ServerAnswer =
  | { readonly answer: "yes"; readonly launch: string; readonly approval: McpApproval }
  | { readonly answer: "no"; readonly launch: string };

/** Of all sessions of the program, by their ids. */
export type ServerAnswers = Map<string, SessionAnswers>;

// Nobody goes back and forth between more; whoever does is asked again.
const maxSessions = 100;

export class SessionAnswers {
  readonly #said = new Map<string, ServerAnswer>();
  readonly #told = new Set<string>();

  /** @output whether the user was not told yet @effects from now on they were */
  isNews(notice: string): boolean {
    const isNews = !this.#told.has(notice);
    this.#told.add(notice);
    return isNews;
  }

  /** @output undefined: nothing was said about it as it is started or reached now */
  find(server: Named, launches: readonly string[]): ServerAnswer | undefined {
    const said = this.#said.get(keyOf(server));
    return said !== undefined && launches.includes(said.launch) ? said : undefined;
  }

  keep(server: Named, answer: ServerAnswer): void {
    this.#said.set(keyOf(server), answer);
  }
}

/** @effects makes room for a session's answers; those of the session that was used longest ago may go */
export function answersOf(all: ServerAnswers, session: string): SessionAnswers {
  const answers = all.get(session) ?? new SessionAnswers();
  all.delete(session);
  all.set(session, answers);
  for (const oldest of all.keys()) {
    if (all.size <= maxSessions) break;
    all.delete(oldest);
  }
  return answers;
}

function keyOf({ owner, name }: Named): string {
  return JSON.stringify([owner, name]);
}
