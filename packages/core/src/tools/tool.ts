// The tool contract. A call has three moments: prepare (what will it touch?), execute (do it), finish (tell the model).
// Permission and AGENTS.md reminders plug in between the first and the second; `finish` is the loop's.
import type { LoadedSkill, PermissionDecision, ToolImage } from "@codelia/shared-types";
import type { z } from "zod";

/** What a call is about to do, for the permission decision. Paths are absolute, logical, normalised. */
export type ToolAccess =
  /** Nothing outside the conversation. */
  | { readonly kind: "none" }
  | { readonly kind: "read"; readonly paths: readonly string[] }
  | { readonly kind: "write"; readonly paths: readonly string[] }
  | { readonly kind: "command"; readonly command: string; readonly cwd: string }
  | { readonly kind: "network"; readonly url: string }
  /** The skill that was resolved, whatever the arguments said. Path: real path of its SKILL.md. */
  | { readonly kind: "skill"; readonly name: string; readonly path: string }
  /** A tool of an MCP server by the name that rules know it by, however it was called; the paths that it declares. */
  | {
      readonly kind: "mcp";
      readonly server: string;
      readonly tool: string;
      readonly paths: readonly string[];
      /** The arguments as JSON. */
      readonly call: string;
    };

export interface PreparedCall {
  /** One line for people: `read src/a.ts`. */
  readonly title: string;
  /** Paths that the call names; AGENTS.md files are resolved for them. */
  readonly paths: readonly string[];
  readonly access: ToolAccess;
  /** A preview for the person who is asked, a diff for example. */
  readonly preview?: string;
  /** The texts that the call means to change, as far as the model has seen them. */
  readonly changes?: readonly TextChange[];
  /**
   * @effects as announced by `access`; writes what the model shall see to `output`
   * @error  ToolError for what the model can mend; anything else is a defect
   */
  execute(execution: ToolExecution): Promise<void>;
}

export interface ToolExecution {
  /** Why the call may run. What nobody was asked about may have to be held tighter. */
  readonly decision: PermissionDecision;
  /** Ends the call; no process may outlive it. */
  readonly signal: AbortSignal;
  readonly output: OutputWriter;
  /** To be called when a skill's body was written to `output`: it counts as loaded while the result is in the context. */
  readonly presentSkill: (skill: LoadedSkill) => void;
  /** Shows the model an image besides what is written to `output`, which has to say what it is of. */
  readonly presentImage: (image: ToolImage) => void;
  /** To be called before files are changed: when it returns, the changes can be undone, even after a crash. */
  readonly intendChanges: (changes: readonly IntendedChange[]) => Promise<void>;
}

/** A file's text before and after a change; undefined: there is no file. */
export interface TextChange {
  /** Absolute, logical. */
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A file's content before and after a change; undefined: there is no file. */
export interface IntendedChange {
  /** Real path. */
  readonly path: string;
  readonly before: { readonly bytes: Uint8Array; readonly mode: number } | undefined;
  readonly after: Uint8Array | undefined;
}

/** Takes a call's whole output in bounded memory. */
export interface OutputWriter {
  write(chunk: string | Uint8Array): Promise<void>;
}

/** A failure that is told to the model: what is wrong, and what to do instead. */
export class ToolError extends Error {
  override readonly name = "ToolError";
}

export interface Tool<Arguments = unknown> {
  readonly name: string;
  /** For the model: short, because it is sent with every request. */
  readonly description: string;
  readonly parameters: z.ZodType<Arguments>;
  /**
   * @effects none but reading
   * @error  ToolError
   */
  prepare(args: Arguments): Promise<PreparedCall>;
}
