// Turns any error into the one failure value that the contract knows. Status and codes decide; text is the last resort.
import type { ModelFailure } from "@codelia/shared-types";
import { type ErrorReport, reportOf } from "./report.ts";

export interface FailureContext {
  /** The provider's name, for the message. */
  readonly provider: string;
  /** The caller ended the request. */
  readonly aborted: boolean;
  /** What to check when the key is refused: `ANTHROPIC_API_KEY`. */
  readonly keySource: string | undefined;
  readonly redact: (text: string) => string;
  readonly now: number;
}

const overflowCodes = [
  "context_length_exceeded",
  "context_window_exceeded",
  "model_context_window_exceeded",
  "exceed_context_size_error",
  "request_too_large",
  "string_above_max_length",
];

// Providers that give no code of their own for it: Anthropic, Google, vLLM, Ollama, LM Studio, OpenRouter.
const overflowTexts =
  /prompt is too long|exceed(?:s|ed)? (?:the )?(?:maximum |available |model'?s? )*context|maximum context length|input token count .*exceeds the maximum|input length .*exceed|greater than the context length/i;

const authCodes = ["api_key_invalid", "invalid_api_key", "authentication_error", "ai_loadapikeyerror"];
const expiredCodes = ["session_expired", "session_not_found", "previous_response_not_found"];
const requestErrorNames = [
  "ai_unsupportedfunctionalityerror",
  "ai_invalidprompterror",
  "ai_invalidargumenterror",
  "ai_nosuchmodelerror",
  "err_invalid_url",
  "err_module_not_found",
];
const certificate = /cert|self_signed|unable_to_(?:verify|get_issuer)/;

export const aborted: ModelFailure = {
  kind: "Aborted",
  message: "The request was ended before it was complete.",
  retryable: false,
};

/** @output what a consumer is told; its message holds no secret */
export function failureOf(error: unknown, context: FailureContext): ModelFailure {
  if (context.aborted) return aborted;
  const report = reportOf(error, context.now);
  const { kind, retryable, hint } = verdictOf(report, context);
  const status = report.status === undefined ? "" : ` (HTTP ${report.status})`;
  const said = report.message.trim().replace(/[.\s]+$/, "");
  return {
    kind,
    message: context.redact(`${context.provider}: ${said}${status}.${hint === undefined ? "" : ` ${hint}`}`),
    ...(report.status === undefined ? {} : { status: report.status }),
    ...(report.retryAfterMs === undefined || kind === "AuthError"
      ? {}
      : { retryAfterMs: report.retryAfterMs }),
    retryable,
  };
}

interface Verdict {
  readonly kind: ModelFailure["kind"];
  readonly retryable: boolean;
  readonly hint?: string;
}

function verdictOf(report: ErrorReport, { keySource }: FailureContext): Verdict {
  const { transport, status, codes, message } = report;
  const has = (wanted: readonly string[]) => wanted.some((code) => codes.has(code));
  if (transport) return { kind: transport.kind, retryable: transport.retryable };
  if (has(expiredCodes)) return { kind: "SessionExpired", retryable: false };
  if (status === 401 || status === 403 || has(authCodes)) {
    const hint = keySource === undefined ? "Configure a key for this provider." : `Check ${keySource}.`;
    return { kind: "AuthError", retryable: false, hint };
  }
  if (status === 429 || status === 402) {
    // An empty account stays empty, however long one waits.
    return status === 402 || has(["insufficient_quota"])
      ? { kind: "RateLimitError", retryable: false, hint: "The account has no credit left." }
      : { kind: "RateLimitError", retryable: true };
  }
  const refused = status === undefined || status === 400 || status === 422;
  if (
    status === 413 ||
    has(overflowCodes) ||
    (refused && report.fromProvider && overflowTexts.test(message))
  ) {
    return { kind: "ContextOverflow", retryable: false };
  }
  if (status === 408 || status === 409 || (status !== undefined && status >= 500)) {
    return { kind: "ConnectionError", retryable: status !== 501 };
  }
  if (status === 404) {
    return { kind: "InvalidRequest", retryable: false, hint: "Check the model's id and the base URL." };
  }
  if (status !== undefined || has(requestErrorNames)) return { kind: "InvalidRequest", retryable: false };
  if ([...codes].some((code) => certificate.test(code))) return { kind: "ConnectionError", retryable: false };
  return { kind: "ConnectionError", retryable: true };
}
