// Makes several changes of files happen together: all of them, or none.
import { type Disk, quietly } from "@codelia/storage";
import { ChangeDirectories } from "./change-directories.ts";
import type { ChangeStep, PlannedChange, StepContext } from "./change-step.ts";
import { inParallel } from "./in-parallel.ts";
import { temporaryNameOf } from "./leftovers.ts";
import type { Location } from "./location.ts";
import { RemovalStep } from "./removal-step.ts";
import { WriteStep } from "./write-step.ts";

/** Why a change did not happen. Without `stranded` everything is as it was. */
export class ChangeFailure extends Error {
  override readonly name = "ChangeFailure";
  /** The file that could not be changed; `cause` says why. */
  readonly location: Location;
  /** Files that were changed and could not be put back. */
  readonly stranded: readonly StrandedFile[];

  constructor(location: Location, cause: unknown, stranded: readonly StrandedFile[] = []) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.location = location;
    this.stranded = stranded;
  }
}

export interface StrandedFile {
  readonly location: Location;
  /** Where its old content is; undefined: the file is new. */
  readonly keptAt: string | undefined;
}

export interface ChangeOptions {
  /** Listened to until the first file is changed. */
  readonly signal?: AbortSignal;
  /** Names for what is put beside the files for the time being. */
  readonly temporaryName?: () => string;
}

/** So many new files are open at a time, and flushed together: that takes the disk half as long as one by one. */
const batchSize = 128;

/**
 * Everything is written and flushed before the first file is changed. Then what takes a name comes before what gives
 * one up, so that a moved file is never without one; directories are flushed in between.
 * @effects each file is replaced atomically; when one fails, those before it are put back
 * @error  ChangeFailure; the signal's reason
 */
export async function changeTogether(
  disk: Disk,
  changes: readonly PlannedChange[],
  { signal, temporaryName = () => temporaryNameOf() }: ChangeOptions = {},
): Promise<void> {
  const directories = new ChangeDirectories(disk);
  const context: StepContext = { directories, undoable: changes.length > 1, temporaryName };
  const steps = changes.map((change) => stepFor(change, context));
  const committed: ChangeStep[] = [];
  try {
    await prepareAll(steps, signal);
    for (const group of [steps.filter(takesName), steps.filter((step) => !takesName(step))]) {
      await forEach(group, async (step) => {
        await step.commit();
        committed.push(step);
      });
      await directories.flush();
    }
  } catch (error) {
    const stranded = await undoAll(committed);
    await directories.flush();
    for (const step of steps)
      await quietly(() => step.finish(stranded.includes(step) ? "stranded" : "undone"));
    await directories.removeCreated();
    await directories.close();
    throw withStranded(error, stranded);
  }
  // The change is decided; what cannot be tidied up does not turn it into a failure.
  await inParallel(steps, (step) => quietly(() => step.finish("done")));
  await directories.close();
}

function stepFor(change: PlannedChange, context: StepContext): ChangeStep {
  const { content } = change;
  return content === undefined ? new RemovalStep(change, context) : new WriteStep(change, content, context);
}

function takesName({ change }: ChangeStep): boolean {
  return change.content !== undefined;
}

async function prepareAll(steps: readonly ChangeStep[], signal: AbortSignal | undefined): Promise<void> {
  for (let start = 0; start < steps.length; start += batchSize) {
    const batch = steps.slice(start, start + batchSize);
    await forEach(batch, (step) => step.write());
    await forEach(batch, (step) => step.secure());
  }
  signal?.throwIfAborted();
  if (steps.length > 1) await forEach(steps, (step) => step.verify());
}

function forEach(steps: readonly ChangeStep[], action: (step: ChangeStep) => Promise<void>): Promise<void> {
  return inParallel(steps, async (step) => {
    try {
      await action(step);
    } catch (error) {
      throw new ChangeFailure(step.change.location, error);
    }
  });
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

function withStranded(error: unknown, stranded: readonly ChangeStep[]): unknown {
  if (!(error instanceof ChangeFailure) || stranded.length === 0) return error;
  const files = stranded.map(({ change, keptAt }) => ({ location: change.location, keptAt }));
  return new ChangeFailure(error.location, error.cause, files);
}
