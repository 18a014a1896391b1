// What the terminal UI takes from the outside: a terminal, signals, files, and a way to the runtime.
import type { Client, Params } from "@codelia/protocol";
import type { ApprovalMode, SettingFlag } from "@codelia/shared-types";

export interface TerminalPort {
  readonly columns: number;
  readonly rows: number;
  write(text: string): void;
  /** Every key as it is pressed, without echo, until `cooked`. */
  raw(input: (text: string) => void): void;
  /** The terminal as it was found. May be called twice. */
  cooked(): void;
  onResize(listener: () => void): () => void;
  /** Stops the program as Ctrl-Z does; returns when it goes on. */
  suspend(): Promise<void>;
}

export interface ConnectOptions {
  readonly settings: readonly SettingFlag[];
  readonly trust: boolean;
}

export interface TuiIo {
  readonly terminal: TerminalPort;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly connect: (options: ConnectOptions) => Promise<Client>;
  /** Bytes of a regular file; throws the system's error, and where it is none or larger than that. */
  readonly readFile: (path: string, maxBytes: number) => Promise<Uint8Array>;
  /** The image in the clipboard; undefined: there is none, or no program that could get it. */
  readonly clipboardImage: () => Promise<Uint8Array | undefined>;
  /** One line in plain mode, without its end; `undefined` at the end of the input. */
  readonly readLine: () => Promise<string | undefined>;
  /** Calls back when the program is told to end (SIGINT, SIGTERM, SIGHUP), until the returned function is called. */
  readonly onSignal: (listener: (signal: "SIGINT" | "SIGTERM" | "SIGHUP") => void) => () => void;
  /** Calls back before a failure that nobody handles ends the program. */
  readonly onCrash: (listener: () => void) => () => void;
  readonly clock: () => number;
}

export interface TuiOptions extends ConnectOptions {
  readonly cwd: string;
  readonly approval: ApprovalMode;
  readonly model?: string | undefined;
  readonly session?: Params<"run.start">["session"] | undefined;
  /** Line by line, without redrawing. Undefined: as the settings say. */
  readonly plain?: boolean | undefined;
}

export const exitCode = { done: 0, failed: 1, interrupted: 130, terminated: 143 } as const;
