// What is done about a connection that fails: try again after a while, and once in a new session.
import type { QueryResult, Recovery } from "@codelia/shared-types";
import { asAgentError, ConnectionError, SessionExpired } from "../error.ts";
import { withPreviousResponse } from "./prompt-text.ts";

/** A server that asks for a longer wait than this is not waited for. */
const maxRetryAfterMs = 600_000;

export interface RecoverableQuery {
  /** Made when it is needed: a query that is known from the journal needs none. */
  readonly prompt: () => Promise<string>;
  readonly session: string | undefined;
  /** What a new session is told, when the old one is gone. */
  readonly previousResponse: string | undefined;
}

export interface RecoveryEffects {
  /** One attempt. @error AgentError */
  attempt(prompt: () => Promise<string>, session: string | undefined): Promise<QueryResult>;
  /** From 0 up to, not including, 1. */
  random(): number;
  /** @error when the run is to end */
  wait(ms: number): Promise<void>;
}

/**
 * @input  query: what to ask; policy: how often and how long
 * @output the response
 * @effects up to `maxAttempts` queries, and one more when a session had expired; counts begin anew with every call
 * @error  the last ConnectionError when nothing helped; every other error at once
 */
export async function queryWithRecovery(
  query: RecoverableQuery,
  policy: Recovery,
  effects: RecoveryEffects,
): Promise<QueryResult> {
  const { maxAttempts = 4 } = policy;
  let { prompt, session } = query;
  let isRenewed = false;
  let failures = 0;
  for (;;) {
    try {
      return await effects.attempt(prompt, session);
    } catch (thrown) {
      const error = asAgentError(thrown);
      if (!(error instanceof ConnectionError)) throw error;
      if (error instanceof SessionExpired) {
        if (isRenewed) throw error;
        isRenewed = true;
        session = undefined;
        prompt = async () => withPreviousResponse(await query.prompt(), query.previousResponse);
        continue;
      }
      failures += 1;
      session = error.spent?.session ?? session;
      if (failures >= maxAttempts || (error.retryAfterMs ?? 0) > maxRetryAfterMs) throw error;
      await effects.wait(delayOf(error, failures, policy, () => effects.random()));
    }
  }
}

/** Full jitter, so that many runs do not come back together. */
function delayOf(error: ConnectionError, failures: number, policy: Recovery, random: () => number): number {
  const { baseDelayMs = 1_000, maxDelayMs = 60_000 } = policy;
  if (error.retryAfterMs !== undefined) return error.retryAfterMs + Math.round(random() * baseDelayMs);
  return Math.round(random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (failures - 1)));
}
