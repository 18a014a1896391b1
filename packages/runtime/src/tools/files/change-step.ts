// One change of one file, in moments that can be undone. A reader, or a crash, sees the old content or the new one,
// never a part.
import type { Stats } from "node:fs";
import type { ChangeDirectories } from "./change-directories.ts";
import type { FileLook } from "./draft-file.ts";
import type { Location } from "./location.ts";

export interface PlannedChange {
  readonly location: Location;
  /** What must be there when the change happens; undefined: nothing. */
  readonly before: Stats | undefined;
  /** Gives what shall be there, when it is asked; undefined: nothing shall be there. */
  readonly content: (() => Promise<Uint8Array>) | undefined;
  /** Of the new content; undefined: as any new file of this process. */
  readonly look: FileLook | undefined;
}

/** What the steps of one change have in common. */
export interface StepContext {
  readonly directories: ChangeDirectories;
  /** Whether the old content is kept beside the file until `finish`. */
  readonly undoable: boolean;
  /** A name for a file of ours, another one each time. */
  readonly temporaryName: () => string;
}

/** Its moments come in this order; `finish` is always the last. */
export interface ChangeStep {
  readonly change: PlannedChange;
  /** Puts the new content beside the file. @effects creates missing directories */
  write(): Promise<void>;
  /** What was written outlives a power cut, and the old content is kept. @error ToolError as of `verify` */
  secure(): Promise<void>;
  /** @error ToolError when the file is no longer what it was */
  verify(): Promise<void>;
  /** By one rename. @error ToolError as of `verify`; nothing is changed then */
  commit(): Promise<void>;
  /** After commit: puts back what was there. */
  undo(): Promise<void>;
  /** Where the old content lies when `undo` failed. */
  readonly keptAt: string | undefined;
  /** Removes what was put beside the file, unless it is all that is left of the old content. */
  finish(outcome: "done" | "undone" | "stranded"): Promise<void>;
}
