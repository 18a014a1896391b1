// The directory that blobs lie in: made when the first one comes, flushed after each.
import { dirname } from "node:path";
import { type Disk, makeDirectory, syncDirectory } from "../disk/index.ts";
import { explaining } from "../error.ts";

export class BlobDirectory {
  readonly disk: Disk;
  readonly path: string;
  /** Directories that may have got a new name, by this process or by one that died before it flushed. */
  readonly #unflushed: Set<string>;

  constructor(disk: Disk, path: string) {
    this.disk = disk;
    this.path = path;
    this.#unflushed = new Set([dirname(path)]);
  }

  async make(): Promise<void> {
    for (const changed of await makeDirectory(this.disk, this.path)) this.#unflushed.add(changed);
  }

  /** Returns when the names of all blobs last. @error StorageError */
  async flush(): Promise<void> {
    await explaining("write_failed", this.path, async () => {
      for (const changed of this.#unflushed) {
        await syncDirectory(this.disk, changed);
        this.#unflushed.delete(changed);
      }
      await syncDirectory(this.disk, this.path);
    });
  }
}
