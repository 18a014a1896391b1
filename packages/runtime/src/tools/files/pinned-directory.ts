// A directory that is held open: what is done to the names in it happens there, whatever its path leads to by now.

import type { Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode } from "@codelia/shared-types";
import {
  createFlags,
  type Disk,
  type DiskFile,
  directoryFlags,
  pinFlags,
  readFlags,
  unlinkIfPresent,
} from "@codelia/storage";
import { swapped } from "./failure.ts";

export class PinnedDirectory implements AsyncDisposable {
  readonly #disk: Disk;
  readonly #handle: DiskFile;
  /** Path of the directory, without links. */
  readonly path: string;
  // On Linux a path through the handle, which no rename can redirect. Elsewhere the plain path: a swap is seen
  // by `verify`, before and after, but cannot be ruled out in between.
  readonly #base: string;
  readonly #throughHandle: boolean;

  private constructor(disk: Disk, handle: DiskFile, path: string, throughHandle: boolean) {
    this.#disk = disk;
    this.#handle = handle;
    this.path = path;
    this.#throughHandle = throughHandle;
    this.#base = throughHandle ? `/proc/self/fd/${handle.fd}` : path;
  }

  /**
   * @input  a path without links
   * @error  the system's; ToolError when the path has links by now
   */
  static async pin(disk: Disk, path: string, shown: string): Promise<PinnedDirectory> {
    const handle = await openDirectory(disk, path, shown);
    return await closingOnFailure(handle, async () => {
      const held = await pathOfHandle(disk, handle);
      const pinned = new PinnedDirectory(disk, handle, path, held !== undefined);
      if (held === undefined) await pinned.verify(shown);
      else if (held !== path) throw swapped(shown);
      return pinned;
    });
  }

  /** The directory `name` in this one, never through a link. */
  async enter(name: string, shown: string): Promise<PinnedDirectory> {
    const handle = await openDirectory(this.#disk, this.#at(name), shown);
    return new PinnedDirectory(this.#disk, handle, join(this.path, name), this.#throughHandle);
  }

  /** @error ToolError when this is no longer the directory that its path names */
  async verify(shown: string): Promise<void> {
    if (this.#throughHandle) {
      if ((await pathOfHandle(this.#disk, this.#handle)) !== this.path) throw swapped(shown);
      return;
    }
    // Without /proc: every part of the path must be free of links, and lead to the same directory.
    for (let part = this.path; dirname(part) !== part; part = dirname(part)) {
      if ((await this.#disk.lstat(part)).isSymbolicLink()) throw swapped(shown);
    }
    const [held, named] = [await this.#handle.stat(), await this.#disk.lstat(this.path)];
    if (held.dev !== named.dev || held.ino !== named.ino) throw swapped(shown);
  }

  /** For a child process: leads here from every process of this user, where the system can. */
  get place(): string {
    return this.#throughHandle ? `/proc/${process.pid}/fd/${this.#handle.fd}` : this.path;
  }

  lstat(name: string): Promise<Stats> {
    return this.#disk.lstat(this.#at(name));
  }

  readlink(name: string): Promise<string> {
    return this.#disk.readlink(this.#at(name));
  }

  /** Entries of this directory, in no order. */
  async entries() {
    return await this.#disk.readdir(this.#at("."));
  }

  openForReading(name: string): Promise<DiskFile> {
    return this.#disk.open(this.#at(name), readFlags);
  }

  /** @error EEXIST when the name is taken */
  create(name: string, mode: number): Promise<DiskFile> {
    return this.#disk.open(this.#at(name), createFlags, mode);
  }

  mkdir(name: string): Promise<void> {
    return this.#disk.mkdir(this.#at(name));
  }

  rmdir(name: string): Promise<void> {
    return this.#disk.rmdir(this.#at(name));
  }

  link(existing: string, added: string): Promise<void> {
    return this.#disk.link(this.#at(existing), this.#at(added));
  }

  rename(from: string, to: string): Promise<void> {
    return this.#disk.rename(this.#at(from), this.#at(to));
  }

  unlink(name: string): Promise<void> {
    return this.#disk.unlink(this.#at(name));
  }

  async unlinkIfPresent(name: string): Promise<void> {
    await unlinkIfPresent(this.#disk, this.#at(name));
  }

  /** Makes renames in it last through a power cut, where the system can. */
  async sync(): Promise<void> {
    if (process.platform === "win32") return;
    let handle: DiskFile | undefined;
    try {
      handle = await this.#disk.open(this.#at("."), directoryFlags);
      await handle.sync();
    } catch (error) {
      // A directory that may not be listed, or a file system that cannot: the rename has happened all the same.
      if (errorCode(error) === undefined) throw error;
    } finally {
      await handle?.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }

  #at(name: string): string {
    // Not joined: `.` has to stay, or a path through the handle would name the handle's own link.
    return `${this.#base}/${name}`;
  }
}

/** The name of a path in the directory that holds it; the top of the file system is its own. */
export function nameIn(path: string): string {
  return basename(path) || ".";
}

async function openDirectory(disk: Disk, path: string, shown: string): Promise<DiskFile> {
  try {
    return await disk.open(path, pinFlags);
  } catch (error) {
    // With O_NOFOLLOW and O_DIRECTORY a link is one or the other, depending on the system.
    const mayBeLink = errorCode(error) === "ELOOP" || errorCode(error) === "ENOTDIR";
    if (mayBeLink && (await isLink(disk, path))) throw swapped(shown);
    throw error;
  }
}

async function isLink(disk: Disk, path: string): Promise<boolean> {
  try {
    return (await disk.lstat(path)).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Linux knows under which path a handle is reachable right now. */
async function pathOfHandle(disk: Disk, handle: DiskFile): Promise<string | undefined> {
  if (process.platform !== "linux") return undefined;
  try {
    return await disk.readlink(`/proc/self/fd/${handle.fd}`);
  } catch {
    return undefined;
  }
}

async function closingOnFailure<T>(handle: DiskFile, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    await handle.close();
    throw error;
  }
}
