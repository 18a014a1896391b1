// A file goes: put aside by one rename, removed when everything else has happened.
import { dirname, join } from "node:path";
import type { ChangeStep, PlannedChange, StepContext } from "./change-step.ts";
import { requireState } from "./file-state.ts";
import { nameIn, type PinnedDirectory } from "./pinned-directory.ts";

export class RemovalStep implements ChangeStep {
  readonly change: PlannedChange;
  readonly #context: StepContext;
  readonly #name: string;
  readonly #aside: string;
  #directory: PinnedDirectory | undefined;

  constructor(change: PlannedChange, context: StepContext) {
    this.change = change;
    this.#context = context;
    this.#name = nameIn(change.location.real);
    this.#aside = context.temporaryName();
  }

  /** There is nothing to write, but the directory is held from now on. */
  async write(): Promise<void> {
    const { real, shown } = this.change.location;
    this.#directory = await this.#context.directories.existing(dirname(real), shown);
  }

  async secure(): Promise<void> {}

  async verify(): Promise<void> {
    await requireState(this.#held(), this.change.before, this.change.location);
  }

  async commit(): Promise<void> {
    await this.verify();
    await this.#held().rename(this.#name, this.#aside);
    this.#context.directories.changed(this.#held());
  }

  async undo(): Promise<void> {
    await this.#held().rename(this.#aside, this.#name);
    this.#context.directories.changed(this.#held());
  }

  get keptAt(): string {
    return join(this.#held().path, this.#aside);
  }

  async finish(outcome: "done" | "undone" | "stranded"): Promise<void> {
    if (outcome === "done") await this.#held().unlinkIfPresent(this.#aside);
  }

  #held(): PinnedDirectory {
    if (this.#directory === undefined) throw new Error("the step was not written");
    return this.#directory;
  }
}
