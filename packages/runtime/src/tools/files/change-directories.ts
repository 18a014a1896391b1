// The directories of files that are changed together: each held open once, created where it is missing.

import { basename, dirname } from "node:path";
import { errorCode } from "@codelia/shared-types";
import { type Disk, quietly } from "@codelia/storage";
import { inParallel } from "./in-parallel.ts";
import { PinnedDirectory } from "./pinned-directory.ts";

export class ChangeDirectories {
  readonly #disk: Disk;
  readonly #pinned = new Map<string, Promise<PinnedDirectory>>();
  readonly #created: { readonly parent: PinnedDirectory; readonly name: string }[] = [];
  readonly #unflushed = new Set<PinnedDirectory>();

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** @input a path without links @error the system's; ToolError when the path has links by now */
  existing(path: string, shown: string): Promise<PinnedDirectory> {
    return this.#once(path, () => PinnedDirectory.pin(this.#disk, path, shown));
  }

  /** Like `existing`. @effects creates what is missing of it, never through a link */
  created(path: string, shown: string): Promise<PinnedDirectory> {
    return this.#once(path, async () => {
      try {
        return await PinnedDirectory.pin(this.#disk, path, shown);
      } catch (error) {
        if (errorCode(error) !== "ENOENT" || dirname(path) === path) throw error;
      }
      const parent = await this.created(dirname(path), shown);
      const name = basename(path);
      if (await mkdirIfAbsent(parent, name)) this.#created.push({ parent, name });
      await parent.sync();
      return await parent.enter(name, shown);
    });
  }

  /** Names in it have changed; `flush` makes that last. */
  changed(directory: PinnedDirectory): void {
    this.#unflushed.add(directory);
  }

  async flush(): Promise<void> {
    const directories = [...this.#unflushed];
    this.#unflushed.clear();
    await inParallel(directories, (directory) => directory.sync());
  }

  /** Removes the directories that were created, as far as they are empty. */
  async removeCreated(): Promise<void> {
    // Someone may have put a file there meanwhile; it stays.
    for (const { parent, name } of this.#created.splice(0).toReversed()) {
      await quietly(() => parent.rmdir(name));
    }
  }

  async close(): Promise<void> {
    const pinned = await Promise.all(this.#pinned.values());
    this.#pinned.clear();
    for (const directory of pinned) await quietly(() => directory[Symbol.asyncDispose]());
  }

  /** One at a time for a path; what failed may be tried again. */
  #once(path: string, pin: () => Promise<PinnedDirectory>): Promise<PinnedDirectory> {
    const known = this.#pinned.get(path);
    if (known !== undefined) return known;
    const pinning = pin().catch((error: unknown) => {
      this.#pinned.delete(path);
      throw error;
    });
    this.#pinned.set(path, pinning);
    return pinning;
  }
}

async function mkdirIfAbsent(parent: PinnedDirectory, name: string): Promise<boolean> {
  try {
    await parent.mkdir(name);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}
