// Decides whether a text matches a tree, in one pass over the text whatever the pattern: states are built when
// they are first met and kept. A pattern from a model or a repository must not be able to stall the program.
import { compile, type Program, type SetSource } from "./program.ts";
import { type Node, type Place, wordCharacters } from "./syntax.ts";

export interface AutomatonOptions {
  /** The match begins at the text's start; otherwise anywhere. */
  readonly anchored: boolean;
  /** Carriage returns and line feeds belong to no class, as in a search by lines. */
  readonly lines: boolean;
}

/** What places look at in the character before or after them. */
type Surrounding = "edge" | "word" | "dot" | "return" | "other";

interface State {
  readonly steps: readonly number[];
  readonly before: Surrounding;
  readonly ascii: (Target | undefined)[];
  readonly others: Map<number, Target>;
  matchesAtEnd: boolean | undefined;
}

type Target = State | "match" | "dead";

// Beyond these the kept states are dropped and built anew: memory stays bounded, the answer the same.
const maxStates = 1_000;
const maxOthers = 20_000;

export class Automaton {
  readonly #program: Program;
  readonly #anchored: boolean;
  readonly #tests: readonly ((codePoint: number) => boolean)[];
  readonly #isWord = tester({ source: `[${wordCharacters}]`, ignoreCase: false }, true);
  readonly #states = new Map<string, State>();
  #others = 0;

  /** @error ProgramTooLarge */
  constructor(node: Node, { anchored, lines }: AutomatonOptions) {
    this.#program = compile(node);
    this.#anchored = anchored;
    this.#tests = this.#program.sets.map((source) => tester(source, lines));
  }

  matches(text: string): boolean {
    let state = this.#state([this.#program.start], "edge");
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      let target: Target | undefined;
      if (unit < 128) {
        target = state.ascii[unit] ?? this.#advance(state, unit);
      } else {
        const codePoint = text.codePointAt(index) ?? unit;
        if (codePoint > 0xffff) index += 1;
        target = state.others.get(codePoint) ?? this.#advance(state, codePoint);
      }
      if (target === "match") return true;
      if (target === "dead") return false;
      state = target;
    }
    state.matchesAtEnd ??= this.#reach(state, "edge") === "match";
    return state.matchesAtEnd;
  }

  /**
   * Whether the pattern matches between the two characters of a line end, where no word and no line begins or
   * ends: `\B` does. ripgrep counts such a match to the line, so that the built-in search has to.
   */
  matchesInLineEnd(): boolean {
    return this.#reach(this.#state([this.#program.start], "other"), "other") === "match";
  }

  #state(steps: readonly number[], before: Surrounding): State {
    const key = `${before} ${steps.join(" ")}`;
    const known = this.#states.get(key);
    if (known) return known;
    if (this.#states.size >= maxStates || this.#others >= maxOthers) {
      this.#states.clear();
      this.#others = 0;
    }
    const state: State = {
      steps,
      before,
      ascii: Array.from({ length: 128 }, () => undefined),
      others: new Map(),
      matchesAtEnd: undefined,
    };
    this.#states.set(key, state);
    return state;
  }

  #advance(state: State, codePoint: number): Target {
    const target = this.#targetOf(state, codePoint);
    if (codePoint < 128) {
      state.ascii[codePoint] = target;
    } else {
      state.others.set(codePoint, target);
      this.#others += 1;
    }
    return target;
  }

  #targetOf(state: State, codePoint: number): Target {
    const after = this.#surrounding(codePoint);
    const reached = this.#reach(state, after);
    if (reached === "match") return "match";
    const next = new Set<number>(this.#anchored ? [] : [this.#program.start]);
    for (const number of reached) {
      const step = this.#program.steps[number];
      if (step?.kind === "set" && this.#tests[step.set]?.(codePoint)) next.add(step.next);
    }
    if (next.size === 0) return "dead";
    return this.#state(
      [...next].toSorted((a, b) => a - b),
      after,
    );
  }

  /** Goes through forks and places that hold here, as far as the steps that take a character. */
  #reach({ steps, before }: State, after: Surrounding): ReadonlySet<number> | "match" {
    const reached = new Set<number>();
    const open = [...steps];
    for (let number = open.pop(); number !== undefined; number = open.pop()) {
      if (reached.has(number)) continue;
      reached.add(number);
      const step = this.#program.steps[number];
      if (step?.kind === "match") return "match";
      if (step?.kind === "fork") open.push(...step.next);
      if (step?.kind === "place" && holds(step.place, before, after)) open.push(step.next);
    }
    return reached;
  }

  #surrounding(codePoint: number): Surrounding {
    if (codePoint === 0x2e) return "dot";
    if (codePoint === 0x0d) return "return";
    return this.#isWord(codePoint) ? "word" : "other";
  }
}

function holds(place: Place, before: Surrounding, after: Surrounding): boolean {
  const wordBefore = before === "word";
  const wordAfter = after === "word";
  switch (place) {
    case "line-start":
      return before === "edge" || before === "return";
    case "line-end":
      return after === "edge" || after === "return";
    case "text-end":
      return after === "edge";
    case "visible":
      return after !== "dot";
    case "word-edge":
      return wordBefore !== wordAfter;
    case "no-word-edge":
      return wordBefore === wordAfter;
    case "word-start":
      return !wordBefore && wordAfter;
    case "word-end":
      return wordBefore && !wordAfter;
    case "word-start-half":
      return !wordBefore;
    case "word-end-half":
      return !wordAfter;
  }
}

/** Classes of single characters are left to RegExp, which knows Unicode; on one character it cannot backtrack. */
function tester({ source, ignoreCase }: SetSource, lines: boolean): (codePoint: number) => boolean {
  const expression = new RegExp(`^${source}$`, ignoreCase ? "vi" : "v");
  return (codePoint) => {
    if (lines && (codePoint === 0x0a || codePoint === 0x0d)) return false;
    // Half a character stands for a byte that is no text.
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) return false;
    return expression.test(String.fromCodePoint(codePoint));
  };
}
