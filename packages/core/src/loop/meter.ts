// What a run has used so far.
import type { Usage } from "@codelia/shared-types";
import { addedUsage, noUsage } from "../response/index.ts";

export class Meter {
  readonly #costOf: (usage: Usage) => number | undefined;
  #usage = noUsage;
  #costUsd: number | undefined = 0;

  constructor(costOf: (usage: Usage) => number | undefined) {
    this.#costOf = costOf;
  }

  count(usage: Usage): void {
    const cost = this.#costOf(usage);
    this.#usage = addedUsage(this.#usage, usage);
    this.#costUsd = cost === undefined || this.#costUsd === undefined ? undefined : this.#costUsd + cost;
  }

  /** A response that the provider did not count: what it cost is not known, unless everything is free. */
  countUnknown(): void {
    const isFree = this.#costOf({ ...noUsage, inputTokens: 1, outputTokens: 1 }) === 0;
    if (!isFree) this.#costUsd = undefined;
  }

  /** A cost is unknown once one part of it is. */
  get totals(): { readonly usage: Usage; readonly costUsd: number | undefined } {
    return { usage: this.#usage, costUsd: this.#costUsd };
  }
}
