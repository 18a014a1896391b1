// The connection to a model as a flow needs it: one query is one run of an agent loop, with its tools, to its end.
import type {
  ApprovalMode,
  CommandResult,
  EffectIntent,
  ModelFailure,
  QueryResult,
  Spent,
} from "@codelia/shared-types";
import {
  type AgentError,
  ConnectionError,
  ExecutionError,
  RateLimitError,
  SessionExpired,
} from "../error.ts";

export interface QueryOptions {
  /** Goes on in this session; without one a new session begins. */
  readonly session: string | undefined;
  /** A judge's query only looks. */
  readonly purpose: "step" | "check";
  /** Tells this query from every other one of the run, also after a crash. */
  readonly effect: number;
  readonly run: string;
  readonly step: string;
  readonly cwd: string;
  /** The tools that may be used; undefined: all, empty: none. */
  readonly tools: readonly string[] | undefined;
  /** What they may do without a question; undefined: what the user chose. */
  readonly approval: ApprovalMode | undefined;
  readonly model: string | undefined;
  /** Ends it at any moment. */
  readonly signal: AbortSignal;
}

/** What became of an effect that was begun when the process died. */
export type Probe<T> =
  | { readonly state: "done"; readonly result: T }
  /** It certainly did not begin, or changed nothing. */
  | { readonly state: "not_done" }
  | { readonly state: "unknown" };

type IntentOf<K> = Extract<EffectIntent, { kind: K }>;

export interface SdkBridge {
  /**
   * A query that follows a failed one in the same session goes on in it: what tools did stays done.
   *
   * @input  prompt: not empty; options: session, tools, permissions
   * @output the model's last response without anything that tools said, the session to go on in, what was used
   * @effects requests, the effects of tools, a new or longer session
   * @error  ConnectionError: not reached; RateLimitError: with the time to wait where it is known; SessionExpired: a new
   *         session can go on; ExecutionError for what no retry mends; a recoverable one,
   *         such as a limit of turns, only fails the step's check. `signal` ends it with any error.
   *         The error's `spent` says what was used, and the session in which the next query goes on.
   */
  query(prompt: string, options: QueryOptions): Promise<QueryResult>;
  /** @output what became of a query whose process died @effects none */
  probe?(
    intent: IntentOf<"query">,
    effect: { readonly run: string; readonly number: number },
  ): Promise<Probe<QueryResult>>;
}

export interface CommandRunner {
  /**
   * @input  command: program and arguments; no shell reads them
   * @output its exit code, absent when a signal ended it, and the end of what it printed
   * @effects one process and its children, all of them gone when this returns; `signal` ends them
   * @error  any error when it could not be started
   */
  run(
    command: readonly string[],
    options: { readonly cwd: string; readonly signal: AbortSignal },
  ): Promise<Pick<CommandResult, "exitCode" | "output">>;
  /** @output what became of a command whose process died @effects none */
  probe?(
    intent: IntentOf<"command">,
    effect: { readonly run: string; readonly number: number },
  ): Promise<Probe<CommandResult>>;
}

/** What a model's connection said, as the error of this layer. The kind and the status decide, never the text. */
export function queryError(failure: ModelFailure, spent?: Spent): AgentError {
  const { kind, message, status, retryAfterMs } = failure;
  const details = { status, retryAfterMs, spent };
  switch (kind) {
    case "RateLimitError":
      return new RateLimitError(message, details);
    case "SessionExpired":
      return new SessionExpired(message, details);
    case "ConnectionError":
      return failure.retryable || status === undefined || status === 429 || status >= 500
        ? new ConnectionError(message, details)
        : new ExecutionError("RequestRefused", message, { spent });
    case "ContextOverflow":
    case "AuthError":
    case "InvalidRequest":
    case "Aborted":
      return new ExecutionError(kind, message, { spent });
  }
}
