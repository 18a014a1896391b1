// Who holds a lock, for those who only want to tell.
import { errorCode } from "@codelia/shared-types";
import { nodeDisk } from "../disk/index.ts";
import { explaining } from "../error.ts";
import { claimPath, type LockPlace, listClaims } from "./claims.ts";
import type { LockOptions, RefusedLock } from "./lock.ts";
import { nodeProcesses } from "./processes.ts";

/**
 * Takes nothing and writes nothing; by the time it returns, the answer may be another one.
 * @output undefined: nobody who is alive
 * @error  StorageError `unreadable`
 */
export async function lookAtLock(
  directory: string,
  { name = "lock", disk = nodeDisk, processes = nodeProcesses }: Omit<LockOptions, "now"> = {},
): Promise<RefusedLock | undefined> {
  const place: LockPlace = { directory, name, disk, processes };
  return await explaining("unreadable", claimPath(place, 1), async () => {
    const { claims } = await listClaims(place).catch(ifAbsent);
    const living = claims.find(({ isAlive }) => isAlive);
    return living && { held: false, owner: living.owner, path: living.path };
  });
}

function ifAbsent(error: unknown): { claims: [] } {
  if (errorCode(error) === "ENOENT") return { claims: [] };
  throw error;
}
