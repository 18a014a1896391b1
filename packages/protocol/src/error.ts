// Failures as a face sees them: a code to act on, words to show, and what to do next.
import { z } from "zod";

export const ProtocolErrorCodeSchema = z.enum([
  "invalid_params",
  "invalid_config",
  "unreadable",
  "not_found",
  "untrusted",
  "unapproved",
  "no_model",
  "in_use",
  "unsupported",
  "refused",
  "storage",
  "internal",
  // Of the wire: nothing was done.
  "parse_error",
  "invalid_request",
  "unknown_method",
  "not_initialized",
  "duplicate_id",
  "unknown_id",
  "too_large",
  "busy",
  "too_slow",
  "disconnected",
  /** Nobody can be asked. */
  "no_user",
]);

export type ProtocolErrorCode = z.infer<typeof ProtocolErrorCodeSchema>;

export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  readonly code: ProtocolErrorCode;
  readonly hint: string | undefined;

  constructor(code: ProtocolErrorCode, message: string, hint?: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.hint = hint;
  }
}
