// A file gets new content, or comes into being: written and flushed beside its name, which it takes by one rename.
import type { Stats } from "node:fs";
import { dirname, join } from "node:path";
import { errorCode } from "@codelia/shared-types";
import type { ChangeStep, PlannedChange, StepContext } from "./change-step.ts";
import { DraftFile, lookOf } from "./draft-file.ts";
import { changed, isSameContent, requireNothing, requireState } from "./file-state.ts";
import { nameIn, type PinnedDirectory } from "./pinned-directory.ts";
import { maxWholeFile, readUpTo } from "./snapshot.ts";

export class WriteStep implements ChangeStep {
  readonly change: PlannedChange;
  readonly #content: () => Promise<Uint8Array>;
  readonly #context: StepContext;
  readonly #name: string;
  /** Names beside the file that are ours to remove. */
  readonly #temporary = new Set<string>();
  #directory: PinnedDirectory | undefined;
  #draft: DraftFile | undefined;
  #backup: string | undefined;
  /** What must be there by now. */
  #expected: Stats | undefined;

  constructor(change: PlannedChange, content: () => Promise<Uint8Array>, context: StepContext) {
    this.change = change;
    this.#content = content;
    this.#context = context;
    this.#name = nameIn(change.location.real);
    this.#expected = change.before;
  }

  async write(): Promise<void> {
    const { location, before, look } = this.change;
    const { directories } = this.#context;
    const parent = dirname(location.real);
    this.#directory =
      before === undefined
        ? await directories.created(parent, location.shown)
        : await directories.existing(parent, location.shown);
    const content = await this.#content();
    this.#draft = await DraftFile.create(this.#directory, this.#context.temporaryName(), look);
    this.#temporary.add(this.#draft.name);
    await this.#draft.write(content);
  }

  async secure(): Promise<void> {
    const { directory, draft } = this.#written();
    await draft.flush();
    const { before } = this.change;
    if (this.#context.undoable && before !== undefined) await this.#keepOld(directory, before);
  }

  async verify(): Promise<void> {
    await requireState(this.#written().directory, this.#expected, this.change.location);
  }

  async commit(): Promise<void> {
    const { directory, draft } = this.#written();
    await this.verify();
    if (this.#expected === undefined) await this.#publish(directory, draft.name);
    else await this.#rename(directory, draft.name);
    this.#context.directories.changed(directory);
  }

  async undo(): Promise<void> {
    const { directory } = this.#written();
    if (this.#backup !== undefined) await this.#rename(directory, this.#backup);
    else if (this.change.before === undefined) await directory.unlink(this.#name);
    this.#context.directories.changed(directory);
  }

  get keptAt(): string | undefined {
    return this.#backup && join(this.#written().directory.path, this.#backup);
  }

  async finish(outcome: "done" | "undone" | "stranded"): Promise<void> {
    await this.#draft?.close();
    if (outcome === "stranded" && this.#backup !== undefined) this.#temporary.delete(this.#backup);
    for (const name of this.#temporary) await this.#directory?.unlinkIfPresent(name);
  }

  #written() {
    const [directory, draft] = [this.#directory, this.#draft];
    if (directory === undefined || draft === undefined) throw new Error("the step was not written");
    return { directory, draft };
  }

  /** By a second name where the file system has them: nothing has to be written, and it is the very same file. */
  async #keepOld(directory: PinnedDirectory, before: Stats): Promise<void> {
    await this.verify();
    const name = this.#context.temporaryName();
    try {
      await directory.link(this.#name, name);
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      return await this.#copyOld(directory, name, before);
    }
    this.#temporary.add(name);
    const kept = await directory.lstat(name);
    if (!isSameContent(kept, before)) throw changed(this.change.location);
    // The second name changed its ctime.
    this.#expected = kept;
    this.#backup = name;
  }

  async #copyOld(directory: PinnedDirectory, name: string, before: Stats): Promise<void> {
    const old = await directory.openForReading(this.#name);
    let content: Uint8Array | undefined;
    try {
      content = await readUpTo(old, before, maxWholeFile);
    } finally {
      await old.close();
    }
    if (content === undefined) throw changed(this.change.location);
    const copy = await DraftFile.create(directory, name, lookOf(before));
    this.#temporary.add(name);
    try {
      await copy.write(content);
      await copy.flush();
    } finally {
      await copy.close();
    }
    this.#backup = name;
  }

  async #rename(directory: PinnedDirectory, from: string): Promise<void> {
    await directory.rename(from, this.#name);
    this.#temporary.delete(from);
  }

  /** Gives the new file its name without taking it from a file that appeared meanwhile. */
  async #publish(directory: PinnedDirectory, draft: string): Promise<void> {
    try {
      await directory.link(draft, this.#name);
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      // The name is taken, or the file system has no hard links: then look and rename.
      await requireNothing(directory, this.change.location);
      await this.#rename(directory, draft);
    }
  }
}
