// Failures as an editor gets them: JSON-RPC errors whose message says what to do, and whose data says which one it is.
import { RequestError } from "@agentclientprotocol/sdk";
import { ProtocolError, type ProtocolErrorCode, type Result } from "@codelia/protocol";
import { pipedText } from "@codelia/shared-types";

/** Of the range that JSON-RPC leaves to servers; `data.code` tells them apart. */
const ownError = -32010;

const codes: Partial<Record<ProtocolErrorCode, number>> = {
  invalid_params: -32602,
  not_found: -32002,
  internal: -32603,
};

/** Editors show the message alone, so the fix is part of it. */
export function requestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (!(error instanceof ProtocolError)) {
    return RequestError.internalError(
      { code: "internal" },
      error instanceof Error ? error.message : String(error),
    );
  }
  const { code, message, hint } = error;
  const text = pipedText(hint === undefined ? message : `${message}\n${hint}`);
  return new RequestError(codes[code] ?? ownError, text, { code, ...(hint === undefined ? {} : { hint }) });
}

/** A run that ended because the model could not be asked. */
export function failedRun({ error = "the run failed", hint }: Result<"run.start">): RequestError {
  // `AuthError: …`, as the runtime writes it.
  const kind = /^(\w+): /.exec(error)?.[1];
  const text = pipedText(hint === undefined ? error : `${error}\n${hint}`);
  return new RequestError(ownError, text, {
    code: "run_failed",
    ...(kind === undefined ? {} : { kind }),
    ...(hint === undefined ? {} : { hint }),
  });
}
