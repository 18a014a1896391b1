// One change of one file, in moments that can be undone: staged beside the file, committed by one rename.
// A reader, or a crash, sees the old content or the new one, never a part.

import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { dirname, join } from "node:path";
import { ToolError } from "@codelia/core";
import { errorCode } from "@codelia/shared-types";
import type { Disk, DiskFile } from "./disk.ts";
import type { Location } from "./location.ts";
import { nameIn, PinnedDirectory } from "./pinned-directory.ts";
import { type PinnedParents, pinWithParents } from "./pinned-parents.ts";
import type { FileSnapshot } from "./snapshot.ts";

export interface FileChange {
  readonly location: Location;
  /** What must be there when the change happens; undefined: nothing. */
  readonly before: FileSnapshot | undefined;
  /** What shall be there; undefined: nothing. */
  readonly after: Uint8Array | undefined;
  /** Whose mode and owner a new file gets; a changed file keeps its own. */
  readonly like?: Stats;
}

export interface ChangeStep {
  readonly change: FileChange;
  /** @error ToolError when the file is no longer what it was; nothing is changed then */
  commit(): Promise<void>;
  /** After commit: puts back what was there. */
  undo(): Promise<void>;
  /** Where the old content lies when `undo` failed. */
  readonly keptAt: string | undefined;
  /** Removes what was put beside the file, unless it is all that is left of the old content. Always the last call. */
  finish(outcome: "done" | "undone" | "stranded"): Promise<void>;
}

/**
 * @input  undoable: whether the old content is kept beside the file until `finish`
 * @effects writes and flushes beside the file; creates missing directories
 */
export async function stage(disk: Disk, change: FileChange, undoable: boolean): Promise<ChangeStep> {
  if (change.after === undefined) return await stageRemoval(disk, change);
  const { location, after, before } = change;
  const parents =
    before === undefined
      ? await pinWithParents(disk, dirname(location.real), location.shown)
      : await existingParents(disk, location);
  const step = new WriteStep(change, parents);
  try {
    await step.prepare(after, before, undoable);
    return step;
  } catch (error) {
    await step.finish("undone");
    throw error;
  }
}

class WriteStep implements ChangeStep {
  readonly change: FileChange;
  readonly #parents: PinnedParents;
  readonly #name: string;
  /** Names beside the file that are ours to remove. */
  readonly #temporary = new Set<string>();
  #staged = "";
  #backup: string | undefined;

  constructor(change: FileChange, parents: PinnedParents) {
    this.change = change;
    this.#parents = parents;
    this.#name = nameIn(change.location.real);
  }

  get #directory(): PinnedDirectory {
    return this.#parents.directory;
  }

  async prepare(after: Uint8Array, before: FileSnapshot | undefined, undoable: boolean): Promise<void> {
    const like = before?.stats ?? this.change.like;
    this.#staged = await this.#write(after, like);
    if (undoable && before !== undefined) this.#backup = await this.#write(before.bytes, before.stats);
  }

  async commit(): Promise<void> {
    const { before, location } = this.change;
    await this.#directory.verify(location.shown);
    if (before === undefined) await this.#publish();
    else {
      await requireUnchanged(this.#directory, this.#name, before.stats, location);
      await this.#directory.rename(this.#staged, this.#name);
      this.#temporary.delete(this.#staged);
    }
    await this.#directory.sync();
  }

  async undo(): Promise<void> {
    if (this.#backup !== undefined) {
      await this.#directory.rename(this.#backup, this.#name);
      this.#temporary.delete(this.#backup);
    } else if (this.change.before === undefined) await this.#directory.unlink(this.#name);
    await this.#directory.sync();
  }

  get keptAt(): string | undefined {
    return this.#backup === undefined ? undefined : join(this.#directory.path, this.#backup);
  }

  async finish(outcome: "done" | "undone" | "stranded"): Promise<void> {
    try {
      if (outcome === "stranded" && this.#backup !== undefined) this.#temporary.delete(this.#backup);
      for (const name of this.#temporary) await unlinkIfPresent(this.#directory, name);
      if (outcome === "undone") await this.#parents.removeCreated();
    } finally {
      await this.#parents.close();
    }
  }

  /** Gives the new file its name without taking it from a file that appeared meanwhile. */
  async #publish(): Promise<void> {
    try {
      await this.#directory.link(this.#staged, this.#name);
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      // The name is taken, or the file system has no hard links: then look and rename.
      if (await isPresent(this.#directory, this.#name)) throw appeared(this.change.location);
      await this.#directory.rename(this.#staged, this.#name);
      this.#temporary.delete(this.#staged);
    }
  }

  async #write(content: Uint8Array, like: Stats | undefined): Promise<string> {
    const name = temporaryName();
    // Private until it has its final mode; without a model the umask decides as for any new file.
    const handle = await this.#directory.create(name, like === undefined ? 0o666 : 0o600);
    this.#temporary.add(name);
    try {
      await handle.writeFile(content);
      if (like !== undefined) await takeOver(handle, like);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return name;
  }
}

async function stageRemoval(disk: Disk, change: FileChange): Promise<ChangeStep> {
  const { location, before } = change;
  const directory = await PinnedDirectory.pin(disk, dirname(location.real), location.shown);
  const name = nameIn(location.real);
  const aside = temporaryName();
  return {
    change,
    keptAt: join(directory.path, aside),
    async commit() {
      await directory.verify(location.shown);
      if (before !== undefined) await requireUnchanged(directory, name, before.stats, location);
      await directory.rename(name, aside);
    },
    async undo() {
      await directory.rename(aside, name);
    },
    async finish(outcome) {
      try {
        if (outcome === "done") {
          await unlinkIfPresent(directory, aside);
          await directory.sync();
        }
      } finally {
        await directory[Symbol.asyncDispose]();
      }
    },
  };
}

async function existingParents(disk: Disk, { real, shown }: Location): Promise<PinnedParents> {
  const directory = await PinnedDirectory.pin(disk, dirname(real), shown);
  return { directory, removeCreated: async () => {}, close: () => directory[Symbol.asyncDispose]() };
}

/** Mode and owner of the file that is replaced. Only root may give files away: then the owner is the user. */
async function takeOver(handle: DiskFile, like: Stats): Promise<void> {
  const own = await handle.stat();
  let mode = like.mode & 0o7777;
  if (own.uid !== like.uid || own.gid !== like.gid) {
    try {
      await handle.chown(like.uid, like.gid);
    } catch (error) {
      if (errorCode(error) !== "EPERM") throw error;
      // Bits that lend the old owner's rights would lend someone else's.
      mode &= 0o1777;
    }
  }
  await handle.chmod(mode);
}

async function requireUnchanged(
  directory: PinnedDirectory,
  name: string,
  before: Stats,
  { shown }: Location,
): Promise<void> {
  const now = await directory.lstat(name);
  const same =
    now.dev === before.dev &&
    now.ino === before.ino &&
    now.size === before.size &&
    now.mtimeMs === before.mtimeMs &&
    now.ctimeMs === before.ctimeMs;
  if (!same) {
    throw new ToolError(
      `${shown} changed while this call was under way. Nothing was changed; read it again.`,
    );
  }
}

function appeared({ shown }: Location): ToolError {
  return new ToolError(`${shown} exists already. Nothing was changed; read it before you change it.`);
}

async function isPresent(directory: PinnedDirectory, name: string): Promise<boolean> {
  try {
    await directory.lstat(name);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}

async function unlinkIfPresent(directory: PinnedDirectory, name: string): Promise<void> {
  try {
    await directory.unlink(name);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

// Short and without the file's name, which may already be as long as a name can be.
function temporaryName(): string {
  return `.codelia-${randomBytes(6).toString("hex")}.tmp`;
}
