// What the command line takes from the outside: streams, the working directory, and a way to the runtime.
import type { Readable, Writable } from "node:stream";
import type { Client, Params } from "@codelia/protocol";
import type { ApprovalMode, SettingFlag } from "@codelia/shared-types";

export interface OutputStream {
  readonly isTTY: boolean;
  /** How wide the terminal is, where there is one that tells. */
  readonly columns?: number | undefined;
  write(text: string): void;
}

/** For much at once: whoever waits after each part needs memory for one part only. */
export interface DrainingStream extends OutputStream {
  /** Returns when everything that was written has been taken. */
  drained(): Promise<void>;
}

export interface ConnectOptions {
  readonly settings: readonly SettingFlag[];
  readonly trust: boolean;
}

export interface InputStream {
  readonly isTTY: boolean;
  /** Everything until the end; undefined: it is more than that. */
  readAll(maxBytes: number): Promise<string | undefined>;
  /** One line, without its end; `undefined` at the end of the input. */
  readLine(): Promise<string | undefined>;
}

/** What the user says when starting the terminal UI. */
export interface TerminalUiOptions extends ConnectOptions {
  readonly cwd: string;
  readonly approval: ApprovalMode;
  readonly model?: string | undefined;
  readonly session?: Params<"run.start">["session"] | undefined;
  /** Line by line, without redrawing. Undefined: as the settings say. */
  readonly plain?: boolean | undefined;
}

export interface CliIo {
  readonly stdin: InputStream;
  readonly stdout: DrainingStream;
  readonly stderr: OutputStream;
  readonly version: string;
  /** The logical working directory. Throws when it no longer exists. */
  readonly workingDirectory: () => string;
  readonly connect: (options: ConnectOptions) => Promise<Client>;
  /** Serves the protocol on this process's standard input and output until the client is gone. @output the exit code */
  readonly serve: (options: ConnectOptions) => Promise<number>;
  /** Bytes of a regular file; throws the system's error, and where it is none or larger than that. */
  readonly readFile: (path: string, maxBytes: number) => Promise<Uint8Array>;
  /** Writes a file that the user named; throws the system's error. */
  readonly writeFile: (path: string, text: string) => Promise<void>;
  /** Calls back for each interrupt (Ctrl-C) until the returned function is called. */
  readonly onInterrupt: (listener: () => void) => () => void;
  readonly clock: () => number;
  /** The terminal UI, for a person. @output the exit code */
  readonly openTerminalUi: (options: TerminalUiOptions) => Promise<number>;
  /** Serves an editor on standard input and output until it is gone. */
  readonly serveEditor: (options: EditorOptions) => Promise<void>;
  /** The streams themselves, for a protocol that is spoken over them. Nothing else may be written then. */
  readonly pipes: () => { readonly input: Readable; readonly output: Writable };
}

export interface EditorOptions {
  readonly client: Client;
  readonly model: string | undefined;
  readonly approval: ApprovalMode;
}

/** Exit codes, the same for every command. */
export const exitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  needsPermission: 3,
  limit: 4,
  interrupted: 130,
} as const;
