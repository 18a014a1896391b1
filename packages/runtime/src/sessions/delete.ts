// Removes a session for good.
import { dirname } from "node:path";
import { acquireLock, lockedError, removeDirectory, sweepRemoved } from "@codelia/storage";
import type { FoundSession } from "./find.ts";
import type { SessionPorts } from "./session-files.ts";

/**
 * @effects the session's folder is gone, flushed; wherever this is ended, the session is there or nothing that looks like
 *          one. What an earlier one left that was ended is removed too
 * @error  StorageError: `locked` with its owner when it is in use
 */
export async function deleteSession({ disk, now }: SessionPorts, { directory }: FoundSession): Promise<void> {
  // Held until the folder has lost its name, so that no run enters it meanwhile.
  const lock = await acquireLock(directory, { disk, now });
  if (!lock.held) throw lockedError(directory, lock);
  try {
    await removeDirectory(directory, disk);
  } finally {
    await lock.release();
  }
  await sweepRemoved(dirname(directory), disk);
}
