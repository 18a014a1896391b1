// Failures as values, for connections that invent or repeat their answers.
import type { ModelFailure, StreamPart } from "@codelia/shared-types";

type FailurePart = Extract<StreamPart, { type: "failure" }>;

const worthRetrying: ReadonlySet<ModelFailure["kind"]> = new Set(["ConnectionError", "RateLimitError"]);

/** A failure with the `retryable` that its kind has by default. */
export function failureOf(
  kind: ModelFailure["kind"],
  message: string,
  details: Pick<ModelFailure, "status" | "retryAfterMs"> = {},
): FailurePart {
  return { type: "failure", failure: { kind, message, ...details, retryable: worthRetrying.has(kind) } };
}

export function abortedFailure(): FailurePart {
  return failureOf("Aborted", "the request was aborted");
}
