// Parses the pattern of a search: ripgrep's dialect, checked here so that every engine gives the same answer.
// Left out, with a message: look-around, references, `(?x)`, `(?R)`, `(?-u)`, \A and \z.
import { ToolError } from "@codelia/core";
import { readClass } from "./pattern-class.ts";
import { PatternReader } from "./pattern-reader.ts";
import { compile, ProgramTooLarge } from "./program.ts";
import { choice, literal, type Node, nothing, type Place, place, repeat, sequence, set } from "./syntax.ts";

export interface Pattern {
  readonly node: Node;
  /** For ripgrep: as given, but with a `{` that repeats nothing escaped. */
  readonly forRipgrep: string;
  readonly ignoreCase: boolean;
  /** Every match contains this text; empty when there is none to tell. */
  readonly contains: string;
}

const maxDepth = 100;
const maxCount = 1_000;

const places: Readonly<Record<string, Place>> = {
  b: "word-edge",
  B: "no-word-edge",
  "<": "word-start",
  ">": "word-end",
};

const bracedPlaces: readonly (readonly [string, Place])[] = [
  ["{start}", "word-start"],
  ["{end}", "word-end"],
  ["{start-half}", "word-start-half"],
  ["{end-half}", "word-end-half"],
];

/** @error ToolError with the position */
export function parsePattern(pattern: string, ignoreCase: boolean): Pattern {
  const parser = new PatternParser(pattern, ignoreCase);
  const node = parser.parse();
  try {
    compile(node);
  } catch (error) {
    if (!(error instanceof ProgramTooLarge)) throw error;
    throw new ToolError("The pattern is too large: repeat less.");
  }
  return { node, forRipgrep: parser.forRipgrep(), ignoreCase, contains: literalText(node) };
}

class PatternParser {
  readonly #reader: PatternReader;
  readonly #literalBraces: number[] = [];
  readonly #names = new Set<string>();
  #ignoreCase: boolean;

  constructor(pattern: string, ignoreCase: boolean) {
    this.#reader = new PatternReader(pattern);
    this.#ignoreCase = ignoreCase;
  }

  parse(): Node {
    const node = this.#choice(0);
    if (!this.#reader.atEnd()) this.#reader.fail("a group was not opened; write \\) for a bracket");
    return node;
  }

  forRipgrep(): string {
    const characters = Array.from(this.#reader.pattern);
    for (const position of this.#literalBraces) characters[position] = "\\{";
    return characters.join("");
  }

  #choice(depth: number): Node {
    if (depth > maxDepth) this.#reader.fail("groups are nested too deeply");
    const caseOutside = this.#ignoreCase;
    const nodes = [this.#sequence(depth)];
    while (this.#reader.take("|")) nodes.push(this.#sequence(depth));
    // A flag inside of a group ends with the group.
    this.#ignoreCase = caseOutside;
    const [only] = nodes;
    return nodes.length === 1 && only ? only : choice(...nodes);
  }

  #sequence(depth: number): Node {
    const nodes: Node[] = [];
    while (!this.#reader.atEnd() && this.#reader.peek() !== "|" && this.#reader.peek() !== ")") {
      const start = this.#reader.position;
      const counts = this.#counts();
      if (counts === undefined) {
        const node = this.#atom(depth);
        if (node) nodes.push(node);
        continue;
      }
      const repeated = nodes.pop();
      if (!repeated) this.#reader.fail("there is nothing to repeat; put a backslash before it", start);
      else nodes.push(repeat(repeated, counts.min, counts.max));
    }
    const [only] = nodes;
    return nodes.length === 1 && only ? only : sequence(...nodes);
  }

  #counts(): { min: number; max: number } | undefined {
    const reader = this.#reader;
    const simple = { "*": [0, Infinity], "+": [1, Infinity], "?": [0, 1] }[reader.peek()];
    if (simple) {
      reader.next();
      reader.take("?");
      return { min: simple[0] ?? 0, max: simple[1] ?? 0 };
    }
    const found = /^\{(\d{1,9})(?:(,)(\d{0,9}))?\}/.exec(reader.rest(24));
    if (!found) return undefined;
    const min = Number(found[1]);
    const max = found[2] === undefined ? min : found[3] === "" ? Infinity : Number(found[3]);
    if (max < min) reader.fail("the repetition's counts are in the wrong order");
    if (min > maxCount || (max > maxCount && max !== Infinity)) {
      reader.fail(`a repetition counts to ${maxCount} at most`);
    }
    reader.position += found[0].length;
    reader.take("?");
    return { min, max };
  }

  /** @output undefined for a flag, which is no part of the pattern */
  #atom(depth: number): Node | undefined {
    const reader = this.#reader;
    const start = reader.position;
    const character = reader.next();
    switch (character) {
      case ".":
        return set("[^\\n]");
      case "^":
        return place("line-start");
      case "$":
        return place("line-end");
      case "[":
        return set(readClass(reader), this.#ignoreCase);
      case "(":
        return this.#group(depth, start);
      case "\\":
        return this.#escape(start);
      case "{":
        this.#literalBraces.push(start);
        return literal(0x7b);
      default:
        return this.#character(character.codePointAt(0) ?? 0, start);
    }
  }

  #group(depth: number, start: number): Node | undefined {
    const reader = this.#reader;
    const caseOutside = this.#ignoreCase;
    if (reader.take("?")) {
      if (/^<?[=!]/.test(reader.rest(2))) reader.fail("look-around is not supported", start);
      const named = /^P?<[A-Za-z_][\w.[\]]*>/.exec(reader.rest(200));
      if (named) this.#name(named[0], start);
      else if (this.#flags(start) === ")") return undefined;
    }
    const node = this.#choice(depth + 1);
    if (!reader.take(")")) reader.fail("the group is not closed; write \\( for a bracket", start);
    this.#ignoreCase = caseOutside;
    return node;
  }

  #name(opening: string, start: number): void {
    const name = opening.slice(opening.indexOf("<"));
    if (this.#names.has(name)) this.#reader.fail("two groups have this name; leave names out", start);
    this.#names.add(name);
    this.#reader.position += opening.length;
  }

  /** Of the flags only `i` changes which lines match. @output what ended them */
  #flags(start: number): string {
    let on = true;
    for (;;) {
      const flag = this.#reader.next();
      if (flag === ":" || flag === ")") return flag;
      if (flag === "i") this.#ignoreCase = on;
      else if (flag === "-" && on) on = false;
      else if (!"sU".includes(flag) && !("mu".includes(flag) && on)) {
        this.#reader.fail("this kind of group is not supported", start);
      } else if (flag === "") this.#reader.fail("the group is not closed", start);
    }
  }

  #escape(start: number): Node {
    const reader = this.#reader;
    const at = places[reader.peek()];
    if (at !== undefined) {
      reader.next();
      const braced = at === "word-edge" ? bracedPlaces.find(([name]) => reader.take(name)) : undefined;
      return place(braced?.[1] ?? at);
    }
    if ("Az".includes(reader.peek()) && !reader.atEnd()) {
      reader.fail("each line is searched for itself: use ^ and $", start);
    }
    const found = reader.escape();
    if (found.kind === "character") return this.#character(found.codePoint, start);
    return set(`[${found.source}]`, this.#ignoreCase);
  }

  #character(codePoint: number, start: number): Node {
    if (codePoint === 10 || codePoint === 13) {
      this.#reader.fail("a match cannot span lines; search for one line and use context", start);
    }
    return literal(codePoint, this.#ignoreCase);
  }
}

/** The text of a pattern that is nothing but characters. */
function literalText(node: Node): string {
  const nodes = node.kind === "sequence" ? node.nodes : [node];
  let text = "";
  for (const part of nodes) {
    const found =
      part.kind === "set" && !part.ignoreCase ? /^\[\\u\{([0-9a-f]+)\}\]$/.exec(part.source) : null;
    if (!found) return "";
    text += String.fromCodePoint(Number.parseInt(found[1] ?? "0", 16));
  }
  return node === nothing ? "" : text;
}
