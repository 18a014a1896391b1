// What went wrong with an MCP server; its name is part of the words.

export type McpErrorCode =
  /** It cannot be used as it is configured. */
  | "invalid"
  /** It did not start, or not in time, or not as an MCP server. */
  | "start"
  /** It ended, or the connection to it broke. */
  | "closed"
  /** It sent more than is taken. */
  | "flood"
  | "timeout"
  /** It wants a login. */
  | "login"
  /** It answered with an error. */
  | "refused"
  /** Its command, address or tools are not what the user approved, or nobody approved them. */
  | "unapproved";

export class McpError extends Error {
  override readonly name = "McpError";
  readonly code: McpErrorCode;
  readonly server: string;
  /** What to do about it. */
  readonly hint: string | undefined;

  constructor(code: McpErrorCode, server: string, problem: string, hint?: string, options?: ErrorOptions) {
    super(`MCP server ${server}: ${problem}`, options);
    this.code = code;
    this.server = server;
    this.hint = hint;
  }

  /** Both on one line, for a model. */
  get whole(): string {
    return this.hint === undefined ? `${this.message}.` : `${this.message}. ${this.hint}`;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
