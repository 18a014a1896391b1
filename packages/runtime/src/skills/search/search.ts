// Finds skills by path, name, beginning of the name, or shared words: four bands, the better one always first.
import type { SkillMetadata, SkillSearchReason, SkillsSettings } from "@codelia/shared-types";
import { givenPath } from "../given-path.ts";
import type { SkillSearch, SkillSearchOptions } from "../types.ts";
import { Best } from "./best.ts";
import { WordIndex } from "./word-index.ts";
import { normalised, wordsOf } from "./words.ts";

const bands: Record<SkillSearchReason, number> = {
  exact_path: 4,
  exact_name: 3,
  prefix: 2,
  token_overlap: 1,
};
/** What is longer is no question; the rest of it is not looked at. */
const maxQueryLength = 2000;
const maxWords = 32;

export interface Searchable {
  readonly skill: SkillMetadata;
  readonly realPath: string;
}

export class SkillSearcher {
  readonly #all: readonly Searchable[];
  readonly #settings: SkillsSettings["search"];
  /** Where relative paths start; without it they name nothing. */
  readonly #cwd: string | undefined;
  /** Place of each skill when scope and path decide. */
  readonly #ranks: Uint32Array;
  #words: WordIndex | undefined;

  constructor(all: readonly Searchable[], settings: SkillsSettings["search"], cwd: string | undefined) {
    this.#cwd = cwd;
    this.#all = all;
    this.#settings = settings;
    this.#ranks = ranksOf(all);
  }

  search(query: string, { limit, scope }: SkillSearchOptions = {}): SkillSearch {
    const wanted = query.trim().slice(0, maxQueryLength);
    const best = new Best(this.#limit(limit), this.#ranks);
    const seen = new Uint8Array(this.#all.length);
    let count = 0;
    const offer = (index: number, reason: SkillSearchReason, weight: number) => {
      const skill = this.#all[index]?.skill;
      if (skill === undefined || seen[index] === 1 || (scope !== undefined && skill.scope !== scope)) return;
      seen[index] = 1;
      count += 1;
      // Below 1, so that no weight reaches the next band; rounded, so that a score reads well.
      const within = Math.min(999_999, Math.round(weight * 1e6));
      best.offer(index, (bands[reason] * 1e6 + within) / 1e6, reason);
    };
    this.#byPath(wanted, offer);
    const name = normalised(wanted).replace(/^\$/, "");
    if (name !== "") this.#byName(name, offer);
    const words = [...new Set(wordsOf(normalised(wanted)))].slice(0, maxWords);
    if (words.length > 0) {
      this.#words ??= new WordIndex(this.#all.map(({ skill }) => skill));
      this.#words.overlap(words, (index, weight) => offer(index, "token_overlap", weight));
    }
    const results = best.taken().flatMap(({ index, score, reason }) => {
      const skill = this.#all[index]?.skill;
      return skill === undefined ? [] : [{ skill, score, reason }];
    });
    return { results, count, truncated: count > results.length };
  }

  #limit(limit: number | undefined): number {
    const { defaultLimit, maxLimit } = this.#settings;
    const wanted = limit === undefined || Number.isNaN(limit) ? defaultLimit : Math.floor(limit);
    return Math.max(1, Math.min(wanted, maxLimit));
  }

  #byPath(wanted: string, offer: (index: number, reason: SkillSearchReason, weight: number) => void): void {
    if (!wanted.includes("/") && !wanted.includes("\\")) return;
    const path = givenPath(wanted, this.#cwd);
    if (path === undefined) return;
    for (const [index, { skill, realPath }] of this.#all.entries()) {
      if (skill.path === path || realPath === path || skill.dir === path) offer(index, "exact_path", 0);
    }
  }

  #byName(wanted: string, offer: (index: number, reason: SkillSearchReason, weight: number) => void): void {
    const found: number[] = [];
    for (const [index, { skill }] of this.#all.entries()) {
      if (skill.name === wanted) offer(index, "exact_name", 0);
      else if (skill.name.startsWith(wanted)) found.push(index);
    }
    for (const index of found) {
      const length = this.#all[index]?.skill.name.length ?? Number.POSITIVE_INFINITY;
      offer(index, "prefix", wanted.length / length);
    }
  }
}

function ranksOf(all: readonly Searchable[]): Uint32Array {
  const order = all.map((_, index) => index);
  order.sort((a, b) => {
    const [one, other] = [all[a]?.skill, all[b]?.skill];
    if (one === undefined || other === undefined) return 0;
    if (one.scope !== other.scope) return one.scope === "repo" ? -1 : 1;
    return one.path < other.path ? -1 : 1;
  });
  const ranks = new Uint32Array(all.length);
  for (const [rank, index] of order.entries()) ranks[index] = rank;
  return ranks;
}
