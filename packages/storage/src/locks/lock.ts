// One holder at a time, among processes, without help from the kernel: Node has no flock.
import { visibleName } from "@codelia/shared-types";
import { type Disk, makeDirectory, nodeDisk, quietly, unlinkIfPresent } from "../disk/index.ts";
import { explaining, StorageError } from "../error.ts";
import {
  type ClaimListing,
  claimPath,
  type LockOwner,
  type LockPlace,
  listClaims,
  publishClaim,
} from "./claims.ts";
import { nodeProcesses, type Processes } from "./processes.ts";

export interface LockOptions {
  readonly name?: string;
  readonly disk?: Disk;
  readonly processes?: Processes;
  readonly now?: () => Date;
}

export interface HeldLock {
  readonly held: true;
  /** The dead owner whose place was taken; its claim may not tell who it was. */
  readonly takenOverFrom: LockOwner | "unknown" | undefined;
  /** Once is enough; a second call does nothing. @error StorageError; the lock then ends with this process */
  release(): Promise<void>;
}

export interface RefusedLock {
  readonly held: false;
  /** Undefined when its claim does not tell, as that of a newer program. */
  readonly owner: LockOwner | undefined;
  /** The owner's claim. */
  readonly path: string;
}

// Contenders meet a second time only when one of them was held up for a whole life of another's lock.
const maxAttempts = 100;

/**
 * Takes the lock `name` of a directory, without waiting. A claim is created with a number one above all others; it
 * holds if, listed after that, no other claim has a living owner. Otherwise it is withdrawn.
 *
 * Why two never hold: a living owner's claim is removed by nobody but itself. Of two claims one was created later, and
 * its owner listed after both were there; that listing shows the other claim, alive, so the later one withdraws.
 * Numbers are not needed for this: they make contenders meet at one name, which `link` gives to exactly one.
 *
 * @effects creates the directory; removes claims of the dead
 * @error  StorageError where the system refused
 */
export async function acquireLock(
  directory: string,
  { name = "lock", disk = nodeDisk, processes = nodeProcesses, now = () => new Date() }: LockOptions = {},
): Promise<HeldLock | RefusedLock> {
  const place: LockPlace = { directory, name, disk, processes };
  return await explaining("write_failed", claimPath(place, 1), async () => {
    await makeDirectory(disk, directory);
    const owner: LockOwner = { ...(await processes.self()), since: now().toISOString() };
    let path = claimPath(place, 1);
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const { claims } = await listClaims(place);
      const living = claims.find(({ isAlive }) => isAlive);
      if (living !== undefined) return { held: false, owner: living.owner, path: living.path };
      path = claimPath(place, (claims.at(-1)?.number ?? 0) + 1);
      if (!(await publishClaim(place, path, owner))) continue;
      const dead = await withdrawUnlessAlone(place, path);
      if (dead === undefined) continue;
      await removeDead(place, dead);
      const last = dead.claims.at(-1);
      return heldLock(disk, path, last && (last.owner ?? "unknown"));
    }
    return { held: false, owner: undefined, path };
  });
}

/** What to throw when a lock is needed and somebody else has it. */
export function lockedError(directory: string, { owner, path }: RefusedLock): StorageError {
  const who =
    owner === undefined
      ? "another program"
      : `process ${owner.pid} on ${visibleName(owner.host)} since ${visibleName(owner.since)}`;
  return new StorageError(
    "locked",
    directory,
    `is in use by ${who}`,
    `Wait until it has ended. If you are certain that it no longer runs, remove ${visibleName(path)}.`,
    { owner },
  );
}

/** @output what the dead left; undefined when somebody else is alive, and the claim was withdrawn */
async function withdrawUnlessAlone(place: LockPlace, path: string): Promise<ClaimListing | undefined> {
  try {
    const others = await listClaims(place, path);
    if (!others.claims.some(({ isAlive }) => isAlive)) return others;
  } catch (error) {
    await quietly(() => place.disk.unlink(path));
    throw error;
  }
  await unlinkIfPresent(place.disk, path);
  return undefined;
}

/**
 * Only the holder does this, so nobody else can have put a new claim in place of a dead one. A living contender whose
 * draft is removed looks again, and finds the lock held.
 */
async function removeDead({ disk }: LockPlace, { claims, drafts }: ClaimListing): Promise<void> {
  for (const path of [...claims.map((claim) => claim.path), ...drafts])
    await quietly(() => disk.unlink(path));
}

function heldLock(disk: Disk, path: string, takenOverFrom: HeldLock["takenOverFrom"]): HeldLock {
  let isReleased = false;
  return {
    held: true,
    takenOverFrom,
    async release() {
      if (isReleased) return;
      await explaining("write_failed", path, () => unlinkIfPresent(disk, path));
      isReleased = true;
    },
  };
}
