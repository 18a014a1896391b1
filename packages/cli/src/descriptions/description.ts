// What a command is and takes. Parsing, help, completions and the man page are made from it, so that they agree.

/** An option of `parseArgs`, with words. */
export interface OptionDescription {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: boolean;
  /** What stands for the value: `N`. */
  readonly value?: string;
  /** Everything that the value can be. */
  readonly values?: readonly string[];
  readonly takes?: Taken;
  readonly help: string;
}

/** What a shell completes a value or an argument with. */
export type Taken = "file" | "directory" | "command";

export type OptionTable = Readonly<Record<string, OptionDescription>>;

export interface VerbDescription {
  /** With what it takes: `show [ID]`. */
  readonly form: string;
  readonly summary: string;
  readonly options: OptionTable;
  readonly takes?: Taken;
}

export interface CommandDescription {
  /** With what it takes: `run [PROMPT]`. */
  readonly form: string;
  readonly summary: string;
  /** Ways to use it, each with what it does; absent: its verbs, or the form with [OPTIONS]. */
  readonly usage?: readonly (readonly [form: string, summary?: string])[];
  /** Paragraphs. */
  readonly about: readonly string[];
  readonly options?: OptionTable;
  /** Commands of the command; the first one is meant when none is given, if its form says so. */
  readonly verbs?: Readonly<Record<string, VerbDescription>>;
  readonly takes?: Taken;
}

export const commonOptions = {
  directory: {
    type: "string",
    short: "C",
    value: "DIR",
    takes: "directory",
    help: "work as if started in DIR",
  },
  config: {
    type: "string",
    short: "c",
    multiple: true,
    value: "KEY=VALUE",
    help: "set a setting for this run (see `codelia config`)",
  },
  json: { type: "boolean", help: "print JSON" },
  help: { type: "boolean", short: "h", help: "say how the command is used" },
} as const satisfies OptionTable;

export const trustOption = {
  trust: { type: "boolean", help: "trust the project for this run only" },
} as const satisfies OptionTable;

/** @input help: which model this is */
export function modelOption<Help extends string>(help: Help) {
  return { type: "string", short: "m", value: "PROVIDER/MODEL", help } as const;
}

export function approvalOption<Help extends string>(help: Help) {
  return { type: "string", value: "MODE", values: approvalModes, help } as const;
}

/** As `ApprovalModeSchema`; a test holds them together, so that help need not load schemas. */
export const approvalModes = ["ask", "auto-edit", "full"] as const;
