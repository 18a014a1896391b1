// Parses a glob: `?`, `*`, `**` between slashes, `[a-z]`, `[!a]`, `{a,b}`, backslash. The rules are those of
// ripgrep's ignore files, so that both walkers leave out the same files.
import { choice, escaped, literal, type Node, nothing, place, repeat, sequence, set } from "./syntax.ts";

export interface GlobOptions {
  /** Wildcards also match a leading dot of a name. */
  readonly hidden: boolean;
  /** `{a,}` may also be empty. */
  readonly emptyChoices: boolean;
}

export interface ParsedGlob {
  readonly node: Node;
  /** A name that begins with a dot is asked for. */
  readonly namesHidden: boolean;
}

export class GlobError extends Error {
  override readonly name = "GlobError";
}

/** `head` is `**` at the start, `middle` between slashes, `tail` at the end. */
type Token =
  | { readonly kind: "literal"; readonly character: string }
  | { readonly kind: "any" | "star" | "head" | "middle" | "tail" }
  | { readonly kind: "class"; readonly source: string }
  | { readonly kind: "choice"; readonly branches: readonly Token[][] };

/** @error GlobError */
export function parseGlob(glob: string, options: GlobOptions): ParsedGlob {
  const tokens = new GlobParser(Array.from(glob)).parse();
  const builder = new GlobBuilder(options);
  const [only] = tokens;
  const whole = tokens.length === 1 && only?.kind === "head";
  const node = whole ? sequence(builder.folders(), builder.name()) : builder.build(tokens, true).node;
  return { node: sequence(node, place("text-end")), namesHidden: builder.namesHidden };
}

class GlobParser {
  readonly #characters: readonly string[];
  #position = 0;
  /** Set once a `[` was found without its end: it and all later ones stand for themselves. */
  #unclosed = false;

  constructor(characters: readonly string[]) {
    this.#characters = characters;
  }

  parse(): Token[] {
    const [tokens = []] = this.#branches(0);
    if (this.#position < this.#characters.length) throw new GlobError("} without {");
    return tokens;
  }

  #branches(depth: number): Token[][] {
    if (depth > 50) throw new GlobError("braces are nested too deeply");
    const branches: Token[][] = [[]];
    for (;;) {
      const tokens = branches.at(-1) ?? [];
      const character = this.#characters[this.#position];
      if (character === undefined) {
        if (depth > 0) throw new GlobError("{ without }");
        return branches;
      }
      if (character === "}") return branches;
      this.#position += 1;
      if (character === "," && depth > 0) branches.push([]);
      else tokens.push(...this.#token(character, tokens, depth));
    }
  }

  #token(character: string, before: Token[], depth: number): Token[] {
    switch (character) {
      case "?":
        return [{ kind: "any" }];
      case "*":
        return this.#stars(before, depth);
      case "[":
        return [this.#unclosed ? { kind: "literal", character } : this.#class()];
      case "{": {
        const branches = this.#branches(depth + 1);
        this.#position += 1;
        return [{ kind: "choice", branches }];
      }
      case "\\": {
        const next = this.#characters[this.#position];
        if (next === undefined) throw new GlobError("a backslash at the end");
        this.#position += 1;
        return [{ kind: "literal", character: next }];
      }
      default:
        return [{ kind: "literal", character }];
    }
  }

  /** Two stars mean any folders only as a whole name; elsewhere they are like one. */
  #stars(before: Token[], depth: number): Token[] {
    if (this.#characters[this.#position] !== "*") return [{ kind: "star" }];
    const previous = this.#characters[this.#position - 2];
    this.#position += 1;
    const next = this.#characters[this.#position];
    if (before.length === 0) {
      if (next !== undefined && next !== "/") return [{ kind: "star" }];
      this.#position += 1;
      return [{ kind: "head" }];
    }
    if (previous !== "/") return [{ kind: "star" }];
    const isTail = next === undefined || (depth > 0 && (next === "," || next === "}"));
    if (!isTail && next !== "/") return [{ kind: "star" }];
    if (!isTail) this.#position += 1;
    const last = before.pop();
    if (last?.kind === "head" || last?.kind === "tail") return [last];
    return [{ kind: isTail ? "tail" : "middle" }];
  }

  #class(): Token {
    const start = this.#position;
    const negated = this.#characters[start] === "!" || this.#characters[start] === "^";
    const first = start + (negated ? 1 : 0);
    const end = this.#characters.indexOf("]", first + 1);
    if (end < 0) {
      this.#unclosed = true;
      return { kind: "literal", character: "[" };
    }
    this.#position = end + 1;
    const inside = this.#characters.slice(first, end);
    let source = "";
    for (let index = 0; index < inside.length; index += 1) {
      const from = inside[index] ?? "";
      const to = inside[index + 1] === "-" ? inside[index + 2] : undefined;
      if (to !== undefined) {
        if (code(to) < code(from)) throw new GlobError(`the range ${from}-${to} is in the wrong order`);
        index += 2;
      }
      source += to === undefined ? escaped(code(from)) : `${escaped(code(from))}-${escaped(code(to))}`;
    }
    return { kind: "class", source: `[${negated ? "^" : ""}${source}]` };
  }
}

class GlobBuilder {
  readonly #options: GlobOptions;
  readonly #inName = set("[^\\/]");
  readonly #anything = set("[\\s\\S]");
  readonly #slash = literal(0x2f);
  namesHidden = false;

  constructor(options: GlobOptions) {
    this.#options = options;
  }

  /** A whole name, or with hidden ones allowed any path. */
  name(): Node {
    if (this.#options.hidden) return repeat(this.#anything, 0);
    return sequence(place("visible"), repeat(this.#inName, 1));
  }

  folders(): Node {
    if (this.#options.hidden)
      return choice(nothing, this.#slash, sequence(repeat(this.#anything, 0), this.#slash));
    return repeat(sequence(this.name(), this.#slash), 0);
  }

  /** `atStart`: a name begins here. */
  build(tokens: readonly Token[], atStart: boolean): { node: Node; atStart: boolean } {
    const nodes: Node[] = [];
    let start = atStart;
    for (const token of tokens) {
      const built = this.#token(token, start);
      nodes.push(built.node);
      start = built.atStart;
    }
    return { node: sequence(...nodes), atStart: start };
  }

  #token(token: Token, atStart: boolean): { node: Node; atStart: boolean } {
    const guard = atStart && !this.#options.hidden ? place("visible") : nothing;
    switch (token.kind) {
      case "literal":
        if (atStart && token.character === ".") this.namesHidden = true;
        return { node: literal(code(token.character)), atStart: token.character === "/" };
      case "any":
        return { node: sequence(guard, this.#inName), atStart: false };
      case "star":
        return { node: sequence(guard, repeat(this.#inName, 0)), atStart: false };
      case "class":
        return { node: sequence(guard, set(token.source)), atStart: false };
      case "head":
        return { node: this.folders(), atStart: true };
      case "middle":
        return { node: this.#middle(), atStart: true };
      case "tail":
        return { node: sequence(this.#slash, this.folders(), this.name()), atStart: false };
      case "choice": {
        const kept = token.branches.filter((branch) => this.#options.emptyChoices || branch.length > 0);
        const built = kept.map((branch) => this.build(branch, atStart));
        if (built.length === 0) return { node: nothing, atStart };
        return { node: choice(...built.map(({ node }) => node)), atStart: built.some((one) => one.atStart) };
      }
    }
  }

  #middle(): Node {
    if (!this.#options.hidden) return sequence(this.#slash, this.folders());
    return choice(this.#slash, sequence(this.#slash, repeat(this.#anything, 0), this.#slash));
  }
}

function code(character: string): number {
  return character.codePointAt(0) ?? 0;
}
