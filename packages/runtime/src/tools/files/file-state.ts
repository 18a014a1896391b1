// Whether a file is still what it was when a change of it was planned.
import type { Stats } from "node:fs";
import { ToolError } from "@codelia/core";
import { errorCode } from "@codelia/shared-types";
import type { Location } from "./location.ts";
import { nameIn, type PinnedDirectory } from "./pinned-directory.ts";

/**
 * @input  expected: undefined: there must be nothing
 * @error  ToolError when it is not so, or when the directory was swapped
 */
export async function requireState(
  directory: PinnedDirectory,
  expected: Stats | undefined,
  location: Location,
): Promise<void> {
  await directory.verify(location.shown);
  if (expected === undefined) return await requireNothing(directory, location);
  const now = await directory.lstat(nameIn(location.real));
  if (!isSameContent(now, expected) || now.ctimeMs !== expected.ctimeMs) throw changed(location);
}

/** @error ToolError when somebody has taken the name */
export async function requireNothing(directory: PinnedDirectory, location: Location): Promise<void> {
  try {
    await directory.lstat(nameIn(location.real));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw error;
  }
  throw new ToolError(`${location.shown} exists already. Nothing was changed; read it before you change it.`);
}

/** As far as can be told without reading it; a new name, mode or owner does not count. */
export function isSameContent(one: Stats, other: Stats): boolean {
  return (
    one.dev === other.dev && one.ino === other.ino && one.size === other.size && one.mtimeMs === other.mtimeMs
  );
}

export function changed({ shown }: Location): ToolError {
  return new ToolError(`${shown} changed while this call was under way. Nothing was changed; read it again.`);
}
