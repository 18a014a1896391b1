// What may happen only once at a time in a repository: others wait for their turn.
import { join } from "node:path";
import { acquireLock } from "@codelia/storage";
import { ExecutionError } from "../error.ts";
import { type ClaimPlace, ownerName } from "./claim.ts";
import type { Waiting } from "./git.ts";

// Entering a worktree and merging take moments; a lock of the dead is taken over at once.
const patienceMs = 120_000;

/**
 * @effects `work`, while nobody else does anything under the same name in this repository
 * @error  what `work` throws; ExecutionError RepositoryBusy
 */
export async function inTurn<T>(
  place: ClaimPlace & Waiting,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const { disk, now, processes, clock, random } = place;
  const options = { name, disk, now, ...(processes === undefined ? {} : { processes }) };
  const until = clock.now() + patienceMs;
  const never = new AbortController().signal;
  for (;;) {
    const lock = await acquireLock(join(place.directory, "repository"), options);
    if (lock.held) {
      try {
        return await work();
      } finally {
        await lock.release();
      }
    }
    if (clock.now() >= until) {
      throw new ExecutionError(
        "RepositoryBusy",
        `${ownerName(lock.owner)} holds up the repository (${name}). End it, then try again.`,
        { recoverable: true },
      );
    }
    await clock.wait(20 + 60 * random(), never);
  }
}
