// The errors of flows, one class a layer: a code, what to do next, and whether trying again can help.
import type { FlowFailure, Spent } from "@codelia/shared-types";

export interface AgentErrorDetails extends ErrorOptions {
  readonly step?: string | undefined;
  readonly iteration?: number | undefined;
  /** What was used up to here. */
  readonly spent?: Spent | undefined;
}

export abstract class AgentError extends Error {
  abstract readonly layer: FlowFailure["layer"];
  abstract readonly recoverable: boolean;
  readonly code: string;
  readonly step: string | undefined;
  readonly iteration: number | undefined;
  readonly spent: Spent | undefined;

  constructor(code: string, message: string, details: AgentErrorDetails = {}) {
    const { step, iteration, spent, ...options } = details;
    super(message, options);
    this.code = code;
    this.step = step;
    this.iteration = iteration;
    this.spent = spent;
  }

  /** As it stands in a Result and in the journal. */
  toFailure(): FlowFailure {
    return {
      layer: this.layer,
      code: this.code,
      message: this.message === "" ? this.code : this.message,
      recoverable: this.recoverable,
      ...(this.step === undefined ? {} : { step: this.step }),
      ...(this.iteration === undefined ? {} : { iteration: this.iteration }),
    };
  }
}

/** The definition, its files or what it needs: always fatal. */
export class ConfigurationError extends AgentError {
  override readonly name: string = "ConfigurationError";
  override readonly layer = "configuration";
  override readonly recoverable = false;
}

export class ExecutionError extends AgentError {
  override readonly name: string = "ExecutionError";
  override readonly layer = "execution";
  override readonly recoverable: boolean;

  constructor(
    code: string,
    message: string,
    { recoverable = false, ...details }: AgentErrorDetails & { readonly recoverable?: boolean } = {},
  ) {
    super(code, message, details);
    this.recoverable = recoverable;
  }
}

/** A check could not be made; the step can be done again. */
export class JudgmentError extends AgentError {
  override readonly name: string = "JudgmentError";
  override readonly layer = "judgment";
  override readonly recoverable = true;
}

export interface ConnectionErrorDetails extends AgentErrorDetails {
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** The model could not be reached this time. What no retry can mend is an ExecutionError. */
export class ConnectionError extends AgentError {
  override readonly name: string = "ConnectionError";
  override readonly layer = "connection";
  override readonly recoverable = true;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, details: ConnectionErrorDetails = {}, code = "ConnectionError") {
    const { status, retryAfterMs, ...rest } = details;
    super(code, message, rest);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }

  override toFailure(): FlowFailure {
    return {
      ...super.toFailure(),
      ...(this.status === undefined ? {} : { status: this.status }),
      ...(this.retryAfterMs === undefined ? {} : { retryAfterMs: this.retryAfterMs }),
    };
  }
}

export class RateLimitError extends ConnectionError {
  override readonly name = "RateLimitError";

  constructor(message: string, details: ConnectionErrorDetails = {}) {
    super(message, details, "RateLimitError");
  }
}

/** The session is gone; the run can go on in a new one. */
export class SessionExpired extends ConnectionError {
  override readonly name = "SessionExpired";

  constructor(message: string, details: ConnectionErrorDetails = {}) {
    super(message, details, "SessionExpired");
  }
}

/** The error that a failure was written from; which class it is decides what happens next. */
export function errorOf(failure: FlowFailure, spent?: Spent): AgentError {
  const { code, message, recoverable, step, iteration, status, retryAfterMs } = failure;
  const details = { step, iteration, spent };
  switch (failure.layer) {
    case "configuration":
      return new ConfigurationError(code, message, details);
    case "execution":
      return new ExecutionError(code, message, { ...details, recoverable });
    case "judgment":
      return new JudgmentError(code, message, details);
    case "connection": {
      const connection = { ...details, status, retryAfterMs };
      if (code === "RateLimitError") return new RateLimitError(message, connection);
      if (code === "SessionExpired") return new SessionExpired(message, connection);
      return new ConnectionError(message, connection, code);
    }
  }
}

/** Anything that was thrown, as an AgentError; what is none of ours is a defect, and fatal. */
export function asAgentError(error: unknown, details: AgentErrorDetails = {}): AgentError {
  if (error instanceof AgentError) return error;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new ExecutionError("Unexpected", message, { ...details, cause: error });
}

/** @output the failure, with the step and the iteration where the error did not know them */
export function failureAt(error: AgentError, step: string | undefined, iteration?: number): FlowFailure {
  const failure = error.toFailure();
  const place = {
    ...(step === undefined ? {} : { step }),
    ...(iteration === undefined ? {} : { iteration }),
  };
  return { ...place, ...failure };
}
