// The tree that patterns and globs are parsed to. It says only whether a text matches: no captures, no greed.

/** One character: a class in the notation of a RegExp with the `v` flag, brackets included. */
export interface CharacterSet {
  readonly kind: "set";
  readonly source: string;
  readonly ignoreCase: boolean;
}

/**
 * Places without width. `line` edges also lie at a carriage return, `text` edges only at the ends;
 * `visible`: no dot follows. The word edges take letters, digits and connectors of any script as a word.
 */
export type Place =
  | "line-start"
  | "line-end"
  | "text-end"
  | "visible"
  | "word-edge"
  | "no-word-edge"
  | "word-start"
  | "word-end"
  | "word-start-half"
  | "word-end-half";

export type Node =
  | CharacterSet
  | { readonly kind: "place"; readonly place: Place }
  | { readonly kind: "sequence"; readonly nodes: readonly Node[] }
  | { readonly kind: "choice"; readonly nodes: readonly Node[] }
  | { readonly kind: "repeat"; readonly node: Node; readonly min: number; readonly max: number };

export const nothing: Node = { kind: "sequence", nodes: [] };

export function sequence(...nodes: readonly Node[]): Node {
  return { kind: "sequence", nodes };
}

export function choice(...nodes: readonly Node[]): Node {
  return { kind: "choice", nodes };
}

export function repeat(node: Node, min: number, max: number = Number.POSITIVE_INFINITY): Node {
  return { kind: "repeat", node, min, max };
}

export function place(at: Place): Node {
  return { kind: "place", place: at };
}

export function set(source: string, ignoreCase = false): CharacterSet {
  return { kind: "set", source, ignoreCase };
}

/** A character as itself, whatever it means in a class. */
export function escaped(codePoint: number): string {
  return `\\u{${codePoint.toString(16)}}`;
}

export function literal(codePoint: number, ignoreCase = false): CharacterSet {
  return set(`[${escaped(codePoint)}]`, ignoreCase);
}

/** What Unicode calls a word character, as the inside of a class. */
export const wordCharacters = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";
