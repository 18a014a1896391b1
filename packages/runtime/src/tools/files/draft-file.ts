// New content beside the file that it is for: private until it has its final mode and owner.
import type { Stats } from "node:fs";
import { errorCode } from "@codelia/shared-types";
import { type DiskFile, writeAll } from "@codelia/storage";
import type { PinnedDirectory } from "./pinned-directory.ts";

/** Mode and owner of a file. */
export interface FileLook {
  readonly mode: number;
  /** Absent: the user. */
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/** Bits that lend the owner's rights to whoever runs the file. */
export const lendingBits = 0o6000;

export function lookOf({ mode, uid, gid }: Stats): FileLook {
  return { mode: mode & 0o7777, owner: { uid, gid } };
}

export class DraftFile {
  readonly name: string;
  readonly #handle: DiskFile;
  readonly #look: FileLook | undefined;

  private constructor(name: string, handle: DiskFile, look: FileLook | undefined) {
    this.name = name;
    this.#handle = handle;
    this.#look = look;
  }

  /** @error EEXIST when the name is taken */
  static async create(
    directory: PinnedDirectory,
    name: string,
    look: FileLook | undefined,
  ): Promise<DraftFile> {
    // Without a look the umask decides as for any new file.
    const handle = await directory.create(name, look === undefined ? 0o666 : 0o600);
    return new DraftFile(name, handle, look);
  }

  async write(content: Uint8Array): Promise<void> {
    await writeAll(this.#handle, content);
    if (this.#look !== undefined) await takeOver(this.#handle, this.#look);
  }

  /** Everything written outlives a power cut when this returns. The draft is closed, also after a failure. */
  async flush(): Promise<void> {
    try {
      await this.#handle.sync();
    } finally {
      await this.close();
    }
  }

  /** Once is enough; a second call does nothing. */
  close(): Promise<void> {
    return this.#handle.close();
  }
}

/** Only root may give files away: for others the owner is the user. */
async function takeOver(handle: DiskFile, { mode, owner }: FileLook): Promise<void> {
  const own = await handle.stat();
  let allowed = mode & 0o7777;
  if (owner !== undefined && (own.uid !== owner.uid || own.gid !== owner.gid)) {
    try {
      await handle.chown(owner.uid, owner.gid);
    } catch (error) {
      if (errorCode(error) !== "EPERM") throw error;
      // They would lend someone else's rights.
      allowed &= ~lendingBits;
    }
  }
  await handle.chmod(allowed);
}
