// The rows of a directory in the index, column by column: thousands of skills as a few long arrays, which are quick
// to parse and small to hold.
import type { Stats } from "node:fs";
import type { SkillLoadError } from "@codelia/shared-types";
import type { Said, SkillRow } from "./known.ts";
import { matches, noStamp, type Stamp } from "./stamp.ts";

type Problems = readonly Omit<SkillLoadError, "path">[];

const idLength = 16;
const perStamp = 4;

/** As JSON: directory names, descriptions or problems, stamps, ids in one text, which are links, other names. */
export function columnsOf(rows: readonly SkillRow[]): unknown[] {
  const numbers: number[] = [];
  const links: number[] = [];
  const renamed: [number, string][] = [];
  for (const [at, { dirName, isLink, stamp, said }] of rows.entries()) {
    numbers.push(stamp.mtimeMs, stamp.ctimeMs, stamp.size, stamp.inode);
    if (isLink) links.push(at);
    if (said.ok && said.name !== dirName) renamed.push([at, said.name]);
  }
  return [
    rows.map(({ dirName }) => dirName),
    rows.map(({ said }) => (said.ok ? said.description : said.problems)),
    numbers,
    rows.map(({ id }) => id).join(""),
    links,
    renamed,
  ];
}

export class SkillColumns {
  readonly dirNames: readonly string[];
  // Looked at when a row is asked for: to check tens of thousands of values takes longer than to read them.
  readonly #texts: readonly unknown[];
  readonly #numbers: readonly unknown[];
  readonly #ids: string;
  readonly #links: ReadonlySet<number>;
  readonly #renamed: ReadonlyMap<number, string>;

  constructor(
    dirNames: readonly string[],
    texts: readonly unknown[],
    numbers: readonly unknown[],
    ids: string,
    links: ReadonlySet<number>,
    renamed: ReadonlyMap<number, string>,
  ) {
    this.dirNames = dirNames;
    this.#texts = texts;
    this.#numbers = numbers;
    this.#ids = ids;
    this.#links = links;
    this.#renamed = renamed;
  }

  get hasLinks(): boolean {
    return this.#links.size > 0;
  }

  isValid(at: number): boolean {
    return typeof this.#texts[at] === "string";
  }

  matches(at: number, stats: Stats): boolean {
    return stats.isFile() && matches(this.#stamp(at), stats);
  }

  /** A value that is not what it should be makes a row that has to be read again. */
  row(at: number): SkillRow {
    const dirName = this.dirNames[at] ?? "";
    const text = this.#texts[at];
    const problems = isListOf(text, isProblem) ? text : undefined;
    const isSound = typeof text === "string" || problems !== undefined;
    const stamp = isSound ? this.#stamp(at) : noStamp;
    const name = this.#renamed.get(at) ?? dirName;
    const said: Said =
      typeof text === "string"
        ? { ok: true, name, description: text, mtimeMs: Math.max(0, stamp.mtimeMs) }
        : { ok: false, problems: problems ?? [] };
    const id = this.#ids.slice(at * idLength, (at + 1) * idLength);
    return { dirName, isLink: this.#links.has(at), stamp, id, said };
  }

  rows(): SkillRow[] {
    return this.dirNames.map((_, at) => this.row(at));
  }

  #stamp(at: number): Stamp {
    const from = at * perStamp;
    const [mtimeMs, ctimeMs, size, inode] = this.#numbers.slice(from, from + perStamp);
    if (!isNumber(mtimeMs) || !isNumber(ctimeMs) || !isNumber(size) || !isNumber(inode)) return noStamp;
    return inode === noStamp.inode ? noStamp : { mtimeMs, ctimeMs, size, inode };
  }
}

export function decodeColumns(value: unknown): SkillColumns | undefined {
  if (!isList(value)) return undefined;
  const [dirNames, texts, numbers, ids, links, renamed] = value;
  if (!isListOf(dirNames, isText) || !isList(texts) || !isList(numbers)) return undefined;
  const count = dirNames.length;
  if (typeof ids !== "string" || !isListOf(links, isNumber) || !isListOf(renamed, isRenaming))
    return undefined;
  const isWhole =
    texts.length === count && numbers.length === count * perStamp && ids.length === count * idLength;
  return isWhole
    ? new SkillColumns(dirNames, texts, numbers, ids, new Set(links), new Map(renamed))
    : undefined;
}

function isListOf<T>(value: unknown, is: (each: unknown) => each is T): value is T[] {
  return Array.isArray(value) && value.every(is);
}

/** What JSON calls an array. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

function isProblem(value: unknown): value is Problems[number] {
  if (
    typeof value !== "object" ||
    value === null ||
    !("message" in value) ||
    typeof value.message !== "string"
  )
    return false;
  const numbers = ["line" in value ? value.line : 1, "column" in value ? value.column : 1];
  return numbers.every(isNumber) && (!("fix" in value) || typeof value.fix === "string");
}

function isRenaming(value: unknown): value is [number, string] {
  return isList(value) && isNumber(value[0]) && isText(value[1]);
}
