// What is thrown when something else was typed than can be.
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly command: string | undefined;

  constructor(message: string, command?: string) {
    super(message);
    this.command = command;
  }
}

/** The user asked how a command is used; what else was typed does not count. */
export class HelpRequest extends Error {
  override readonly name = "HelpRequest";
  readonly command: string;

  constructor(command: string) {
    super(`help for ${command}`);
    this.command = command;
  }
}
