// By what a file or directory is known to be the one that was read before.
import type { Stats } from "node:fs";

export interface Stamp {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly size: number;
  readonly inode: number;
}

/** What matches nothing: it has to be looked at again. */
export const noStamp: Stamp = { mtimeMs: -1, ctimeMs: -1, size: -1, inode: -1 };

/** A clock of a file system may be this coarse, so what changed so recently may change again unseen. */
const coarsestClockMs = 2000;

/** @input now when it was read */
export function stampOf(stats: Stats, now: number): Stamp {
  if (Math.max(stats.mtimeMs, stats.ctimeMs) > now - coarsestClockMs) return noStamp;
  return { mtimeMs: stats.mtimeMs, ctimeMs: stats.ctimeMs, size: stats.size, inode: stats.ino };
}

export function matches(stamp: Stamp, stats: Stats): boolean {
  return (
    stamp.mtimeMs === stats.mtimeMs &&
    stamp.ctimeMs === stats.ctimeMs &&
    stamp.size === stats.size &&
    stamp.inode === stats.ino
  );
}
