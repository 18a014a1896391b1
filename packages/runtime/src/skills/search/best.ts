// The best few of many, without sorting the many.
import type { SkillSearchReason } from "@codelia/shared-types";

export interface Ranked {
  readonly index: number;
  readonly score: number;
  readonly reason: SkillSearchReason;
}

export class Best {
  readonly #limit: number;
  readonly #ranks: Uint32Array;
  readonly #taken: Ranked[] = [];

  /** @input ranks which of two goes first when their scores are the same */
  constructor(limit: number, ranks: Uint32Array) {
    this.#limit = limit;
    this.#ranks = ranks;
  }

  offer(index: number, score: number, reason: SkillSearchReason): void {
    const taken = this.#taken;
    const last = taken.at(-1);
    if (taken.length >= this.#limit && last !== undefined && !this.#isBefore(index, score, last)) return;
    let at = taken.length;
    for (
      let other = taken[at - 1];
      other !== undefined && this.#isBefore(index, score, other);
      other = taken[at - 1]
    ) {
      at -= 1;
    }
    taken.splice(at, 0, { index, score, reason });
    if (taken.length > this.#limit) taken.pop();
  }

  /** Best first. */
  taken(): readonly Ranked[] {
    return this.#taken;
  }

  #isBefore(index: number, score: number, other: Ranked): boolean {
    if (score !== other.score) return score > other.score;
    return (this.#ranks[index] ?? 0) < (this.#ranks[other.index] ?? 0);
  }
}
