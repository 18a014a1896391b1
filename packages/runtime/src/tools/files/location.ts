// Where a logical path really leads. Found once when a call is prepared; execution does not follow links again,
// so that a link swapped after the permission decision leads nowhere.

import { dirname, join, parse, sep } from "node:path";
import { errorCode } from "@codelia/shared-types";
import type { Disk } from "@codelia/storage";
import { explaining } from "./failure.ts";
import { type PathOrigin, resolveToolPath, shownPath } from "./tool-path.ts";

// As many as Linux follows.
const maxLinks = 40;

export interface Location {
  /** Absolute, logical, normalised: what the model named. */
  readonly path: string;
  /** The same place without links. Identity of the file; it need not exist. */
  readonly real: string;
  /** For messages. */
  readonly shown: string;
}

/** @error ToolError for a path that can lead nowhere: loops of links, files used as directories */
export async function locate(disk: Disk, origin: PathOrigin, argument: string): Promise<Location> {
  const path = resolveToolPath(origin, argument);
  const shown = shownPath(origin, path);
  return { path, shown, real: await explaining(shown, () => realPath(disk, path)) };
}

/** The paths that permission is decided on: the name, and the place where it is about to happen. */
export function accessPaths(locations: readonly Location[]): string[] {
  return [...new Set(locations.flatMap(({ path, real }) => [path, real]))];
}

/** Like realpath, but what is missing at the end is kept, also behind a dangling link. */
async function realPath(disk: Disk, path: string): Promise<string> {
  return (await hasNoLink(disk, path)) ? path : followLinks(disk, path);
}

/** Looks at all parts of the path at once: most paths have no link, and one round is much faster than many. */
async function hasNoLink(disk: Disk, path: string): Promise<boolean> {
  const parts: string[] = [];
  for (let part = path; dirname(part) !== part; part = dirname(part)) parts.push(part);
  const looks = await Promise.all(parts.map((part) => disk.lstat(part).catch(() => undefined)));
  return looks.every((stats) => stats !== undefined && !stats.isSymbolicLink());
}

async function followLinks(disk: Disk, path: string): Promise<string> {
  const { root } = parse(path);
  const pending = namesOf(path.slice(root.length)).toReversed();
  let current = root;
  let links = 0;
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === "..") {
      current = dirname(current);
      continue;
    }
    const next = join(current, name);
    const target = await linkTarget(disk, next);
    if (target === undefined) {
      current = next;
      continue;
    }
    links += 1;
    if (links > maxLinks) throw Object.assign(new Error("too many links"), { code: "ELOOP" });
    const targetRoot = parse(target).root;
    if (targetRoot !== "") current = targetRoot;
    pending.push(...namesOf(target.slice(targetRoot.length)).toReversed());
  }
  return current;
}

function namesOf(path: string): string[] {
  return path.split(sep).filter((name) => name !== "" && name !== ".");
}

async function linkTarget(disk: Disk, path: string): Promise<string | undefined> {
  try {
    if (!(await disk.lstat(path)).isSymbolicLink()) return undefined;
    return await disk.readlink(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
