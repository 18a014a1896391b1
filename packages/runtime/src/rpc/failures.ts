// Turns the errors of the rooms into the one that a face knows.
import { ConfigError } from "@codelia/config";
import { AgentsError, explainSystemError } from "@codelia/core";
import { ProtocolError, type ProtocolErrorCode } from "@codelia/protocol";
import { visibleName } from "@codelia/shared-types";
import { StorageError } from "@codelia/storage";
import { SessionError, type SessionErrorCode } from "../sessions/index.ts";

const sessionCodes: Readonly<Record<SessionErrorCode, ProtocolErrorCode>> = {
  not_found: "not_found",
  ambiguous: "invalid_params",
  newer_format: "unsupported",
  unknown_record: "unsupported",
  unreadable: "unreadable",
  other_repository: "refused",
  nothing_to_continue: "invalid_params",
  nothing_to_undo: "not_found",
  undo_refused: "refused",
  undo_failed: "storage",
};

export function protocolError(error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const cause = { cause: error };
  if (error instanceof ConfigError) {
    return new ProtocolError(
      "invalid_config",
      error.message,
      "Correct the settings above and run the command again.",
      cause,
    );
  }
  if (error instanceof SessionError) {
    return new ProtocolError(sessionCodes[error.code], error.message, error.hint, cause);
  }
  if (error instanceof StorageError) {
    return new ProtocolError(
      error.code === "locked" ? "in_use" : "storage",
      error.message,
      error.hint,
      cause,
    );
  }
  if (error instanceof AgentsError) {
    const code =
      error.code === "cwd_not_found" || error.code === "root_not_found" ? "not_found" : "unreadable";
    return new ProtocolError(code, error.message, error.hint, cause);
  }
  // An AgentError, by its form: to load flows for it would slow every command.
  if (error instanceof Error && "layer" in error && "recoverable" in error) {
    return new ProtocolError("refused", error.message, undefined, cause);
  }
  if (error instanceof Error && "path" in error && typeof error.path === "string") {
    return new ProtocolError(
      "unreadable",
      `${visibleName(error.path)}: ${explainSystemError(error)}`,
      undefined,
      cause,
    );
  }
  return new ProtocolError(
    "internal",
    error instanceof Error ? error.message : String(error),
    undefined,
    cause,
  );
}
