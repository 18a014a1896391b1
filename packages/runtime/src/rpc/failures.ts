// Turns the errors of the rooms into the one that a face knows.
import { ConfigError } from "@codelia/config";
import { AgentsError, explainSystemError } from "@codelia/core";
import { ProtocolError } from "@codelia/protocol";
import { visibleName } from "@codelia/shared-types";

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
  if (error instanceof AgentsError) {
    const code =
      error.code === "cwd_not_found" || error.code === "root_not_found" ? "not_found" : "unreadable";
    return new ProtocolError(code, error.message, error.hint, cause);
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
