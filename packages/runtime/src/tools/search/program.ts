// Compiles a tree to a small machine of steps: the form in which an automaton walks it.
import type { Node, Place } from "./syntax.ts";

export type Step =
  | { readonly kind: "set"; readonly set: number; readonly next: number }
  | { readonly kind: "place"; readonly place: Place; readonly next: number }
  | { readonly kind: "fork"; readonly next: readonly number[] }
  | { readonly kind: "match" };

export interface SetSource {
  readonly source: string;
  readonly ignoreCase: boolean;
}

export interface Program {
  readonly steps: readonly Step[];
  readonly start: number;
  readonly sets: readonly SetSource[];
}

/** A pattern that would need more steps than this is refused. */
export const maxSteps = 20_000;

export class ProgramTooLarge extends Error {
  override readonly name = "ProgramTooLarge";
}

/** @error ProgramTooLarge when repetition multiplies the pattern beyond all measure */
export function compile(node: Node): Program {
  const steps: Step[] = [{ kind: "match" }];
  const sets: SetSource[] = [];
  const numbers = new Map<string, number>();

  function add(step: Step): number {
    if (steps.length >= maxSteps) throw new ProgramTooLarge("the pattern is too large");
    return steps.push(step) - 1;
  }

  function setNumber({ source, ignoreCase }: SetSource): number {
    const key = `${ignoreCase ? "i" : ""}${source}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = sets.push({ source, ignoreCase }) - 1;
    numbers.set(key, number);
    return number;
  }

  // From the end to the start: each part is told where to go on.
  function build(part: Node, next: number): number {
    switch (part.kind) {
      case "set":
        return add({ kind: "set", set: setNumber(part), next });
      case "place":
        return add({ kind: "place", place: part.place, next });
      case "sequence":
        return part.nodes.reduceRight((after, inner) => build(inner, after), next);
      case "choice":
        return add({ kind: "fork", next: part.nodes.map((inner) => build(inner, next)) });
      case "repeat":
        return buildRepeat(part, next);
    }
  }

  function buildRepeat({ node: inner, min, max }: Extract<Node, { kind: "repeat" }>, next: number): number {
    let entry = next;
    if (max === Number.POSITIVE_INFINITY) {
      const branches = [next];
      entry = add({ kind: "fork", next: branches });
      branches.push(build(inner, entry));
    } else {
      for (let optional = min; optional < max; optional += 1) {
        entry = add({ kind: "fork", next: [next, build(inner, entry)] });
      }
    }
    for (let required = 0; required < min; required += 1) entry = build(inner, entry);
    return entry;
  }

  return { start: build(node, 0), steps, sets };
}
