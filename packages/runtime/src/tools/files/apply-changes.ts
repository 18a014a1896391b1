// Changes of files that a tool makes: recorded first, then made together.

import type { Stats } from "node:fs";
import { type IntendedChange, ToolError, type ToolExecution } from "@codelia/core";
import { visibleName } from "@codelia/shared-types";
import type { Disk } from "@codelia/storage";
import type { PlannedChange } from "./change-step.ts";
import { ChangeFailure, changeTogether, type StrandedFile } from "./change-together.ts";
import { lookOf } from "./draft-file.ts";
import { explained } from "./failure.ts";
import type { Location } from "./location.ts";
import type { FileSnapshot } from "./snapshot.ts";

export interface FileChange {
  readonly location: Location;
  /** What must be there when the change happens; undefined: nothing. */
  readonly before: FileSnapshot | undefined;
  /** What shall be there; undefined: nothing. */
  readonly after: Uint8Array | undefined;
  /** Whose mode and owner a new file gets; a changed file keeps its own. */
  readonly like?: Stats;
}

/**
 * @input  execution: told of the changes before the first one, so that they can be undone
 * @effects each file is replaced atomically; when one fails, those before it are put back
 * @error  ToolError where the system or a changed file refused; it names what could not be put back, if anything
 */
export async function applyChanges(
  disk: Disk,
  changes: readonly FileChange[],
  { signal, intendChanges }: Pick<ToolExecution, "signal" | "intendChanges">,
): Promise<void> {
  await intendChanges(changes.map(intended));
  try {
    await changeTogether(disk, changes.map(planned), { signal });
  } catch (error) {
    throw error instanceof ChangeFailure ? told(error) : error;
  }
}

function intended({ location, before, after }: FileChange): IntendedChange {
  return {
    path: location.real,
    before: before === undefined ? undefined : { bytes: before.bytes, mode: before.stats.mode & 0o7777 },
    after,
  };
}

function planned({ location, before, after, like }: FileChange): PlannedChange {
  const model = before?.stats ?? like;
  return {
    location,
    before: before?.stats,
    content: after && (() => Promise.resolve(after)),
    look: model && lookOf(model),
  };
}

function told({ location, cause, stranded }: ChangeFailure): unknown {
  const error = explained(cause, location.shown);
  return stranded.length === 0 ? error : strandedError(error, stranded);
}

function strandedError(error: unknown, stranded: readonly StrandedFile[]): ToolError {
  const reason = error instanceof Error ? error.message : String(error);
  const places = stranded.map(({ location, keptAt }) => {
    const old = keptAt === undefined ? "it is new" : `its old content is in ${visibleName(keptAt)}`;
    return `${location.shown} (${old})`;
  });
  return new ToolError(`${reason} These could not be put back: ${places.join(", ")}. Tell the user.`, {
    cause: error,
  });
}
