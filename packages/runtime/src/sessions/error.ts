// What can be wrong with a session, and the way on.
export type SessionErrorCode =
  | "not_found"
  | "ambiguous"
  | "newer_format"
  | "unknown_record"
  | "unreadable"
  | "other_repository"
  | "nothing_to_continue"
  | "nothing_to_undo"
  | "undo_refused"
  | "undo_failed";

export class SessionError extends Error {
  override readonly name = "SessionError";
  readonly code: SessionErrorCode;
  /** What to do next. */
  readonly hint: string;

  constructor(code: SessionErrorCode, message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.hint = hint;
  }
}
