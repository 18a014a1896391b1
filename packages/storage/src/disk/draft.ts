// A file under a name of its own until it is whole; then it gets, at once, the name that others look for.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { unlinkIfPresent } from "./directories.ts";
import type { Disk, DiskFile } from "./disk.ts";
import { createFlags } from "./flags.ts";
import { quietly } from "./quietly.ts";
import { writeAll } from "./whole-io.ts";

/** Whether a file was made by `Draft.create` with this kind. */
export function isDraftName(name: string, kind: string): boolean {
  return name.startsWith(`.${kind}-`) && name.endsWith(".tmp");
}

export class Draft {
  readonly #disk: Disk;
  readonly #file: DiskFile;
  readonly path: string;

  private constructor(disk: Disk, file: DiskFile, path: string) {
    this.#disk = disk;
    this.#file = file;
    this.path = path;
  }

  /**
   * @input  kind a part of its name, by which those can be found that were left when a process died
   * @effects creates the file with mode 0600; the directory must be there
   */
  static async create(disk: Disk, directory: string, kind: string): Promise<Draft> {
    const path = join(directory, `.${kind}-${randomBytes(8).toString("hex")}.tmp`);
    return new Draft(disk, await disk.open(path, createFlags, 0o600), path);
  }

  write(data: Uint8Array): Promise<void> {
    return writeAll(this.#file, data);
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  /** Gives it its name, in place of what had it. The last call, unless it fails. */
  async renameTo(path: string): Promise<void> {
    await this.#file.close();
    await this.#disk.rename(this.path, path);
  }

  /** @error EEXIST when the name is taken; the draft is still there afterwards */
  async linkTo(path: string): Promise<void> {
    await this.#file.close();
    await this.#disk.link(this.path, path);
  }

  /** Removes it; what the system refuses is left lying. */
  async discard(): Promise<void> {
    await quietly(() => this.#file.close());
    await quietly(() => unlinkIfPresent(this.#disk, this.path));
  }
}
