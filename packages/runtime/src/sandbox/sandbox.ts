// The contract: what runs commands behind the operating system's walls, or says why there are none.

/** A program with its arguments, to be started in a directory with an environment. */
export interface Command {
  /** Absolute. */
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute, logical. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface WrappedCommand extends Command {
  /** Signals to the started process end everything inside at once; ending gently means the processes inside. */
  readonly isContained: boolean;
}

export type SandboxKind = "bubblewrap" | "seatbelt";

export type SandboxState =
  | { readonly inForce: true; readonly kind: SandboxKind }
  | {
      readonly inForce: false;
      /** `off`: the user's settings say so. `missing`: it is wanted and cannot be had. */
      readonly why: "off" | "missing";
      /** One sentence without its full stop. */
      readonly reason: string;
      /** What to do to get it; a command where there is one. */
      readonly fix: string;
    };

export interface Sandbox {
  /** Tried for real on the first call, and the same for the rest of the process. */
  state(): Promise<SandboxState>;
  /**
   * @input  a command that may be hostile
   * @output how to start it: inside the sandbox if it is in force, otherwise unchanged
   * @effects a private temporary directory; empty entries that keep protected names from being created
   * @error  SandboxError when the sandbox is in force for others and this command cannot be put into it
   */
  wrap(command: Command): Promise<WrappedCommand>;
  /** Takes away what `wrap` made. Call it when all commands have ended. */
  dispose(): Promise<void>;
}

/** What a machine that has a sandbox offers. */
export type Wall = Pick<Sandbox, "wrap" | "dispose">;

/** The sandbox could not be prepared; the command must not run. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
}

/** For commands of which the user said that they need none. */
export function noSandbox(reason: string): Sandbox {
  return {
    state: () => Promise.resolve({ inForce: false, why: "off", reason, fix: "Set sandbox.enabled to auto." }),
    wrap: (command) => Promise.resolve({ ...command, isContained: false }),
    dispose: () => Promise.resolve(),
  };
}
