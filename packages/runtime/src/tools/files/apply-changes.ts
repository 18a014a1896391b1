// Makes several changes of files happen together: all of them, or none.
import { ToolError } from "@codelia/core";
import { errorCode, visibleName } from "@codelia/shared-types";
import { type ChangeStep, type FileChange, stage } from "./change-step.ts";
import type { Disk } from "./disk.ts";
import { explained } from "./failure.ts";

/**
 * @effects each file is replaced atomically; when one fails, those before it are put back
 * @error  ToolError where the system or a changed file refused; it names what could not be put back, if anything
 */
export async function applyChanges(
  disk: Disk,
  changes: readonly FileChange[],
  signal: AbortSignal,
): Promise<void> {
  // What takes a name comes before what gives one up: a moved file is never without one.
  const ordered = changes.toSorted((a, b) => Number(a.after === undefined) - Number(b.after === undefined));
  const steps: ChangeStep[] = [];
  const committed: ChangeStep[] = [];
  try {
    for (const change of ordered) {
      steps.push(await about(change, () => stage(disk, change, ordered.length > 1)));
    }
    signal.throwIfAborted();
    for (const step of steps) {
      await about(step.change, () => step.commit());
      committed.push(step);
    }
  } catch (error) {
    const stranded = await undoAll(committed);
    // Backwards, so that directories are empty again when the step that created them removes them.
    for (const step of steps.toReversed()) {
      await finishQuietly(step, stranded.includes(step) ? "stranded" : "undone");
    }
    throw stranded.length === 0 ? error : strandedError(error, stranded);
  }
  for (const step of steps) await finishQuietly(step, "done");
}

async function about<T>({ location }: FileChange, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw explained(error, location.shown);
  }
}

async function undoAll(committed: readonly ChangeStep[]): Promise<ChangeStep[]> {
  const stranded: ChangeStep[] = [];
  for (const step of committed.toReversed()) {
    try {
      await step.undo();
    } catch {
      stranded.push(step);
    }
  }
  return stranded;
}

/** The change is decided; a temporary file that cannot be removed does not turn it into a failure. */
async function finishQuietly(step: ChangeStep, outcome: "done" | "undone" | "stranded"): Promise<void> {
  try {
    await step.finish(outcome);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

function strandedError(error: unknown, stranded: readonly ChangeStep[]): ToolError {
  const reason = error instanceof Error ? error.message : String(error);
  const places = stranded.map(({ change, keptAt }) => {
    const old = keptAt === undefined ? "it is new" : `its old content is in ${visibleName(keptAt)}`;
    return `${change.location.shown} (${old})`;
  });
  return new ToolError(`${reason} These could not be put back: ${places.join(", ")}. Tell the user.`, {
    cause: error,
  });
}
