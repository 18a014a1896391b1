// What is at a path now, compared with what a session left there. Never follows a link, never waits for a FIFO.
import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { basename, dirname } from "node:path";
import { ToolError } from "@codelia/core";
import { errorCode } from "@codelia/shared-types";
import type { Disk } from "@codelia/storage";
import { maxWholeFile, PinnedDirectory, readUpTo, specialKind } from "../tools/index.ts";

export type Found =
  | { readonly kind: "nothing" }
  /** Without a hash: larger than any file that a tool changes. */
  | { readonly kind: "file"; readonly sha256: string | undefined; readonly stats: Stats }
  /** What no tool leaves, in words: `is a directory now`. */
  | { readonly kind: "other"; readonly words: string };

/** @input a real path: that a link is on it now is an answer @error the system's */
export async function lookAt(disk: Disk, path: string): Promise<Found> {
  try {
    await using directory = await PinnedDirectory.pin(disk, dirname(path), path);
    return await lookIn(directory, basename(path));
  } catch (error) {
    if (error instanceof ToolError) return { kind: "other", words: "lies behind a link now" };
    // ENOTDIR: a file is where its directory was.
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return { kind: "nothing" };
    throw error;
  }
}

async function lookIn(directory: PinnedDirectory, name: string): Promise<Found> {
  const named = specialKind(await directory.lstat(name));
  if (named !== undefined) return { kind: "other", words: `is a ${named} now` };
  const handle = await directory.openForReading(name);
  try {
    const stats = await handle.stat();
    const opened = specialKind(stats);
    if (opened !== undefined) return { kind: "other", words: `is a ${opened} now` };
    const bytes = await readUpTo(handle, stats, maxWholeFile);
    return { kind: "file", sha256: bytes && createHash("sha256").update(bytes).digest("hex"), stats };
  } finally {
    await handle.close();
  }
}
