// What only tidies up: a system that refuses does not turn a success into a failure.
import { errorCode } from "@codelia/shared-types";
import type { DiskFile } from "./disk.ts";

export async function quietly(action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

/** Closes a file after `use`. A close can only tell of writes, and those that matter are flushed before. */
export async function closing<T>(file: DiskFile, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } finally {
    await quietly(() => file.close());
  }
}
