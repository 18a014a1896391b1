// The real disk, each of whose calls has a number, so that a test decides what becomes of it.
import { basename } from "node:path";
import { type Disk, type DiskFile, nodeDisk } from "@codelia/storage";

export interface Operation {
  /** Counts from 0, over all calls. */
  readonly index: number;
  /** As `write journal.jsonl`; random parts of names are left out. */
  readonly name: string;
}

/**
 * - `kill`: the process ends before the call, and nothing of it works any more
 * - `half`: the same, after half of what a write has to write (other calls: before the call)
 * - `short`: a write takes half of it and says so
 * - a code: the call fails with it
 */
export type Fate = "do" | "kill" | "half" | "short" | "ENOSPC" | "EIO" | "EMFILE";

/** Not an error of the system: nobody may take it for one. */
export class Killed extends Error {}

/** Flushes are left out, since they take most of the time: what a test does ends no machine. */
export class WatchedDisk implements Disk {
  readonly operations: string[] = [];
  readonly #decide: (operation: Operation) => Fate;
  readonly #open = new Set<DiskFile>();
  #isKilled = false;

  constructor(decide: (operation: Operation) => Fate = () => "do") {
    this.#decide = decide;
  }

  lstat(path: string) {
    return this.#run("lstat", path, () => nodeDisk.lstat(path));
  }

  readlink(path: string) {
    return this.#run("readlink", path, () => nodeDisk.readlink(path));
  }

  readdir(path: string) {
    return this.#run("readdir", path, () => nodeDisk.readdir(path));
  }

  async open(path: string, flags: number, mode?: number): Promise<DiskFile> {
    const file = await this.#run("open", path, () => nodeDisk.open(path, flags, mode));
    this.#open.add(file);
    const run = <T>(name: string, action: () => Promise<T>, half?: () => Promise<T>) =>
      this.#run(name, path, action, half);
    return {
      fd: file.fd,
      stat: () => run("stat", () => file.stat()),
      read: (buffer, offset, length, position) =>
        run("read", () => file.read(buffer, offset, length, position)),
      write: (data) =>
        run(
          "write",
          () => file.write(data),
          () => file.write(data.subarray(0, Math.ceil(data.length / 2))),
        ),
      truncate: (length) => run("truncate", () => file.truncate(length)),
      sync: () => run("sync", async () => {}),
      chown: (uid, gid) => run("chown", () => file.chown(uid, gid)),
      chmod: (bits) => run("chmod", () => file.chmod(bits)),
      close: async () => {
        // A close that fails has closed the file all the same.
        this.#open.delete(file);
        const closed = file.close();
        await run("close", () => closed);
      },
    };
  }

  mkdir(path: string, mode?: number) {
    return this.#run("mkdir", path, () => nodeDisk.mkdir(path, mode));
  }

  rmdir(path: string) {
    return this.#run("rmdir", path, () => nodeDisk.rmdir(path));
  }

  link(existing: string, added: string) {
    return this.#run("link", added, () => nodeDisk.link(existing, added));
  }

  rename(from: string, to: string) {
    return this.#run("rename", to, () => nodeDisk.rename(from, to));
  }

  unlink(path: string) {
    return this.#run("unlink", path, () => nodeDisk.unlink(path));
  }

  async #run<T>(call: string, path: string, action: () => Promise<T>, half = action): Promise<T> {
    if (this.#isKilled) throw new Killed();
    const name = `${call} ${shortName(path)}`;
    const fate = this.#decide({ index: this.operations.length, name });
    this.operations.push(name);
    if (fate === "do") return await action();
    if (fate === "short") return await half();
    if (fate !== "kill" && fate !== "half") {
      throw Object.assign(new Error(`${fate}: made up by the test`), { code: fate });
    }
    this.#isKilled = true;
    if (fate === "half" && half !== action) await half();
    for (const file of this.#open) await file.close();
    throw new Killed();
  }
}

function shortName(path: string): string {
  return basename(path)
    .replace(/^\.(\w+)-[0-9a-f]+\.tmp$/, "$1 draft")
    .replace(/^[0-9a-f]{32}$/, "blob")
    .replace(/\.damaged-.*$/, ".damaged");
}
