// Which skills have which word, in the name or in the description. Built at the first search.
import type { SkillMetadata } from "@codelia/shared-types";
import { normalised, wordsOf } from "./words.ts";

const nameWeight = 3;
const descriptionWeight = 1;
/** A word that only begins with what was asked for counts this much of one that is it. */
const beginningShare = 0.5;
/** Shorter beginnings are in too many words to mean anything. */
const leastBeginning = 3;
const maxBeginnings = 64;

interface Postings {
  readonly skills: number[];
  readonly weights: number[];
}

export class WordIndex {
  readonly #postings = new Map<string, Postings>();
  /** Normalised descriptions that are not plain ASCII; the others are empty. */
  readonly #texts: string[] = [];
  /** Of one query, and of one word of it; zero between queries. */
  readonly #scores: Float64Array;
  readonly #weights: Float64Array;
  #sorted: string[] | undefined;

  constructor(skills: readonly SkillMetadata[]) {
    this.#scores = new Float64Array(skills.length);
    this.#weights = new Float64Array(skills.length);
    for (const [index, { name, description }] of skills.entries()) {
      const text = normalised(description);
      for (const word of wordsOf(name)) this.#add(word, index, nameWeight);
      for (const word of wordsOf(text)) this.#add(word, index, descriptionWeight);
      this.#texts.push(isAscii(text) ? "" : text);
    }
  }

  /**
   * Calls `offer` for the skills that share words with the query, each with the weight of what they share, from 0 to 1.
   * @input words normalised, without repetition
   */
  overlap(words: readonly string[], offer: (skill: number, weight: number) => void): void {
    const touched: number[] = [];
    const [scores, weights] = [this.#scores, this.#weights];
    let most = 0;
    for (const word of words) {
      const rarity = this.#rarity(word);
      most += rarity * nameWeight;
      for (const skill of this.#matches(word)) {
        if (scores[skill] === 0) touched.push(skill);
        scores[skill] = (scores[skill] ?? 0) + (weights[skill] ?? 0) * rarity;
        weights[skill] = 0;
      }
    }
    for (const skill of touched) {
      offer(skill, (scores[skill] ?? 0) / most);
      scores[skill] = 0;
    }
  }

  /** Skills come in order, name first: what is there already is from the same skill and weighs as much at least. */
  #add(word: string, skill: number, weight: number): void {
    const postings = this.#postings.get(word);
    if (postings === undefined) {
      this.#postings.set(word, { skills: [skill], weights: [weight] });
    } else if (postings.skills.at(-1) !== skill) {
      postings.skills.push(skill);
      postings.weights.push(weight);
    }
  }

  /** A word that few skills have tells more. */
  #rarity(word: string): number {
    const count = this.#postings.get(word)?.skills.length ?? 0;
    return 1 + Math.log(1 + this.#texts.length / (1 + count));
  }

  /** Skills that have the word, or one that begins with it; `#weights` has the better weight of each. */
  #matches(word: string): number[] {
    const found: number[] = [];
    const weights = this.#weights;
    const take = (skill: number, weight: number) => {
      const before = weights[skill] ?? 0;
      if (before === 0) found.push(skill);
      if (weight > before) weights[skill] = weight;
    };
    const exact = this.#postings.get(word);
    if (exact !== undefined) takeAll(exact, 1, take);
    for (const longer of this.#beginningWith(word)) {
      const postings = this.#postings.get(longer);
      if (postings !== undefined) takeAll(postings, beginningShare, take);
    }
    // Where words are not separated by blanks, the same letters may be cut into other words.
    if (exact === undefined && !isAscii(word)) {
      for (const [skill, text] of this.#texts.entries()) {
        if (text.includes(word)) take(skill, beginningShare * descriptionWeight);
      }
    }
    return found;
  }

  #beginningWith(word: string): string[] {
    if (word.length < leastBeginning && isAscii(word)) return [];
    this.#sorted ??= [...this.#postings.keys()].toSorted((a, b) => (a < b ? -1 : 1));
    const sorted = this.#sorted;
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] ?? "") <= word) low = middle + 1;
      else high = middle;
    }
    let end = low;
    while (end < sorted.length && end - low < maxBeginnings && sorted[end]?.startsWith(word) === true)
      end += 1;
    return sorted.slice(low, end);
  }
}

function takeAll(
  { skills, weights }: Postings,
  share: number,
  take: (skill: number, weight: number) => void,
): void {
  for (let at = 0; at < skills.length; at += 1) take(skills[at] ?? 0, (weights[at] ?? 0) * share);
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}
