// What the command line takes from the outside: streams, the working directory, and a way to the runtime.
import type { Client } from "@codelia/protocol";
import type { SettingFlag } from "@codelia/shared-types";

export interface OutputStream {
  readonly isTTY: boolean;
  write(text: string): void;
}

export interface ConnectOptions {
  readonly settings: readonly SettingFlag[];
  readonly trust: boolean;
}

export interface CliIo {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly version: string;
  /** The logical working directory. Throws when it no longer exists. */
  readonly workingDirectory: () => string;
  readonly connect: (options: ConnectOptions) => Promise<Client>;
}

/** Exit codes, the same for every command. */
export const exitCode = { done: 0, failed: 1, usage: 2 } as const;
