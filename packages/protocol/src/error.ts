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
