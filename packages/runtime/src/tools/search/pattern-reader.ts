// Reads a pattern character by character, and the escapes that mean the same inside and outside of a class.
import { ToolError } from "@codelia/core";
import { escaped, wordCharacters } from "./syntax.ts";

/** What an escape stands for: one character, or the inside of a class. */
export type Escape =
  | { readonly kind: "character"; readonly codePoint: number }
  | { readonly kind: "class"; readonly source: string };

const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, a: 7 };

const classes: Readonly<Record<string, string>> = {
  d: "\\p{Nd}",
  D: "\\P{Nd}",
  s: "\\p{White_Space}",
  S: "\\P{White_Space}",
  w: `[${wordCharacters}]`,
  W: `[^${wordCharacters}]`,
};

const hexDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

export class PatternReader {
  readonly pattern: string;
  readonly #characters: readonly string[];
  position = 0;

  constructor(pattern: string) {
    this.pattern = pattern;
    this.#characters = Array.from(pattern);
  }

  peek(ahead = 0): string {
    return this.#characters[this.position + ahead] ?? "";
  }

  next(): string {
    const character = this.peek();
    this.position += 1;
    return character;
  }

  /** Takes the text, of ASCII, when it comes next. */
  take(text: string): boolean {
    const isNext = this.rest(text.length) === text;
    if (isNext) this.position += text.length;
    return isNext;
  }

  /** The characters from here on, for a look with a sticky expression. */
  rest(length: number): string {
    return this.#characters.slice(this.position, this.position + length).join("");
  }

  atEnd(): boolean {
    return this.position >= this.#characters.length;
  }

  fail(problem: string, position = this.position): never {
    throw new ToolError(`Invalid pattern at character ${position + 1}: ${problem}.`);
  }

  /** Reads what follows a backslash. */
  escape(): Escape {
    const start = this.position - 1;
    const character = this.next();
    const known = classes[character];
    if (known !== undefined) return { kind: "class", source: known };
    const control = controls[character];
    if (control !== undefined) return { kind: "character", codePoint: control };
    if (character === "p" || character === "P") return { kind: "class", source: this.#property(character) };
    if (hexDigits[character] !== undefined) {
      return { kind: "character", codePoint: this.#hex(start, hexDigits[character]) };
    }
    if (character === "") this.fail("it ends with a backslash; write \\\\ for a backslash", start);
    if (/^[1-9]$/.test(character)) this.fail("references to groups are not supported", start);
    if (/^[\x20-\x7e]$/.test(character) && !/^[0-9A-Za-z<>]$/.test(character)) {
      return { kind: "character", codePoint: character.charCodeAt(0) };
    }
    return this.fail(`\\${character} is not an escape`, start);
  }

  #hex(start: number, digits: number): number {
    const text = this.take("{") ? this.#until("}", start) : this.rest(digits);
    const braced = this.peek(-1) === "}";
    if (!braced) this.position += digits;
    const codePoint = /^[0-9A-Fa-f]{1,8}$/.test(text) ? Number.parseInt(text, 16) : Number.NaN;
    const isScalar = codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff);
    if (!isScalar || (!braced && text.length < digits)) this.fail("no character has this number", start);
    return codePoint;
  }

  #property(letter: string): string {
    const start = this.position - 2;
    const name = this.take("{") ? this.#until("}", start) : this.next();
    const valid = /^[A-Za-z_]+(?:=[A-Za-z_]+)?$/.test(name);
    for (const candidate of valid ? [name, `Script=${name}`] : []) {
      const source = `\\${letter}{${candidate}}`;
      if (compiles(source)) return source;
    }
    return this.fail(`${name === "" ? "a property" : name} is not a Unicode property known here`, start);
  }

  #until(end: string, start: number): string {
    let text = "";
    while (this.peek() !== end) {
      if (this.atEnd()) this.fail(`${end} is missing`, start);
      text += this.next();
    }
    this.position += 1;
    return text;
  }
}

/** An escape as part of a class. */
export function insideClass(found: Escape): string {
  return found.kind === "character" ? escaped(found.codePoint) : found.source;
}

function compiles(source: string): boolean {
  try {
    return new RegExp(source, "v").unicodeSets;
  } catch {
    return false;
  }
}
