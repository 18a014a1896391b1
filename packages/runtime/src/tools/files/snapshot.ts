// A file's whole content together with its state, read without following links and without blocking.

import type { Stats } from "node:fs";
import { dirname } from "node:path";
import { ToolError } from "@codelia/core";
import { errorCode } from "@codelia/shared-types";
import type { Disk, DiskFile } from "@codelia/storage";
import { explaining, requireRegularFile, swapped } from "./failure.ts";
import type { Location } from "./location.ts";
import { nameIn, PinnedDirectory } from "./pinned-directory.ts";
import { sizeText } from "./size-text.ts";

/** Files up to here are held in memory, remembered and may be changed. */
export const maxWholeFile = 16 * 1024 * 1024;

export interface FileSnapshot {
  readonly bytes: Uint8Array;
  readonly stats: Stats;
}

/**
 * @output what `use` returns for the opened file; it is closed afterwards
 * @error  ToolError for what is absent, unreadable or no regular file; FIFOs and devices are not opened
 */
export async function withRegularFile<T>(
  disk: Disk,
  { real, shown }: Location,
  use: (handle: DiskFile, stats: Stats) => Promise<T>,
): Promise<T> {
  return await explaining(shown, async () => {
    await using directory = await PinnedDirectory.pin(disk, dirname(real), shown);
    const name = nameIn(real);
    const handle = await openRegular(directory, name, shown);
    try {
      const stats = await handle.stat();
      requireRegularFile(stats, shown);
      return await use(handle, stats);
    } finally {
      await handle.close();
    }
  });
}

/** @error ToolError as above, and for files over 16 MiB */
export async function readSnapshot(disk: Disk, location: Location): Promise<FileSnapshot> {
  return await withRegularFile(disk, location, async (handle, stats) => {
    const bytes = await readUpTo(handle, stats, maxWholeFile);
    if (bytes !== undefined) return { bytes, stats };
    throw new ToolError(
      `${location.shown} has ${sizeText(stats.size)}; files over ${sizeText(maxWholeFile)} cannot be changed with this tool. ` +
        "Use a command (sed, split) instead.",
    );
  });
}

/** Like readSnapshot; undefined where there is nothing, not even a directory to hold it. */
export async function readSnapshotIfPresent(
  disk: Disk,
  location: Location,
): Promise<FileSnapshot | undefined> {
  try {
    return await readSnapshot(disk, location);
  } catch (error) {
    if (error instanceof ToolError && errorCode(error.cause) === "ENOENT") return undefined;
    throw error;
  }
}

/** The whole content; undefined when there is more than `limit`. */
export async function readUpTo(
  handle: DiskFile,
  stats: Stats,
  limit: number,
): Promise<Uint8Array | undefined> {
  if (stats.size > limit) return undefined;
  // One byte more than is expected tells the end from a file that has grown; files in /proc say 0 and have more.
  let buffer = new Uint8Array(stats.size + 1);
  let filled = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled);
    filled += bytesRead;
    // All that was announced, with room left for more: a regular file ends there.
    const isEnd = bytesRead === 0 || (filled === stats.size && filled < buffer.length);
    if (isEnd) return buffer.subarray(0, filled);
    if (filled > limit) return undefined;
    if (filled < buffer.length) continue;
    const larger = new Uint8Array(Math.min(limit + 1, Math.max(4096, buffer.length * 2)));
    larger.set(buffer);
    buffer = larger;
  }
}

async function openRegular(directory: PinnedDirectory, name: string, shown: string): Promise<DiskFile> {
  requireRegularFile(await directory.lstat(name), shown);
  try {
    return await directory.openForReading(name);
  } catch (error) {
    // It was a regular file a moment ago: a link has taken its place.
    throw errorCode(error) === "ELOOP" ? swapped(shown) : error;
  }
}
