// The index on disk: what is known of one root, so that a start reads no SKILL.md that has not changed.
// Derived, and worth nothing but time: anything odd about it, and it is as if it were not there.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { columnsOf, decodeColumns, isList, type SkillColumns } from "./columns.ts";
import {
  type KnownDirectory,
  type KnownRoot,
  nothingKnown,
  type OtherChild,
  type SkillRow,
} from "./known.ts";
import { noStamp, type Stamp } from "./stamp.ts";
import type { SkillRoot } from "./types.ts";

/** Goes up when the format or the rules for skills change: what was read under other rules is read again. */
const version = 1;

export interface ReadIndex {
  readonly known: KnownRoot;
  /** The same before rows are made of it; empty where nothing is known. */
  readonly directories: ReadonlyMap<string, IndexedDirectory>;
  /** The first line on disk, which tells what follows; empty where there is none to be relied on. */
  readonly header: string;
}

export const noIndex: ReadIndex = { known: nothingKnown, directories: new Map(), header: "" };

export function indexFileOf(directory: string, root: SkillRoot): string {
  const key = JSON.stringify([root.path, root.scope, root.boundary]);
  return join(directory, `skills-${createHash("sha256").update(key).digest("hex").slice(0, 24)}.json`);
}

export interface EncodedIndex {
  readonly header: string;
  readonly text: string;
}

/** The first line tells the version, the root and a checksum of the rest. */
export function encodeIndex(root: SkillRoot, known: KnownRoot): EncodedIndex {
  const directories = [...known].map(([below, { stamp, others, rows }]) => [
    below,
    [stamp.mtimeMs, stamp.ctimeMs, stamp.size, stamp.inode],
    others.map(({ name, isLink }) => (isLink ? [name] : name)),
    columnsOf(rows),
  ]);
  const rest = JSON.stringify(directories);
  const header = headerOf(root, rest);
  return { header, text: `${header}\n${rest}` };
}

/** @output what the file says; nothing when it is absent, damaged, of another version or about another root */
export function readIndex(file: string, root: SkillRoot): ReadIndex {
  try {
    const bytes = readFileSync(file);
    const end = bytes.indexOf("\n");
    const header = bytes.toString("utf8", 0, end);
    if (header !== headerOf(root, bytes.subarray(end + 1))) return noIndex;
    const directories = decode(JSON.parse(bytes.toString("utf8", end + 1)));
    return directories === undefined ? noIndex : { known: directories, directories, header };
  } catch {
    return noIndex;
  }
}

function headerOf(root: SkillRoot, rest: string | Uint8Array): string {
  const checksum = createHash("sha1").update(rest).digest("hex");
  return JSON.stringify(["codelia skills", version, root.path, root.scope, root.boundary ?? null, checksum]);
}

/** Rows are made when somebody asks for them: most starts need few. */
export class IndexedDirectory implements KnownDirectory {
  readonly stamp: Stamp;
  readonly others: readonly OtherChild[];
  readonly columns: SkillColumns;
  #rows: readonly SkillRow[] | undefined;

  constructor(stamp: Stamp, others: readonly OtherChild[], columns: SkillColumns) {
    this.stamp = stamp;
    this.others = others;
    this.columns = columns;
  }

  get rows(): readonly SkillRow[] {
    this.#rows ??= this.columns.rows();
    return this.#rows;
  }
}

function decode(value: unknown): Map<string, IndexedDirectory> | undefined {
  if (!isList(value)) return undefined;
  const directories = new Map<string, IndexedDirectory>();
  for (const each of value) {
    if (!isList(each)) return undefined;
    const [below, numbers, names, skills] = each;
    const stamp = decodeStamp(numbers);
    const others = isList(names) ? names.map(decodeChild) : [undefined];
    const columns = decodeColumns(skills);
    if (typeof below !== "string" || stamp === undefined || columns === undefined) return undefined;
    if (!allThere(others)) return undefined;
    directories.set(below, new IndexedDirectory(stamp, others, columns));
  }
  return directories;
}

function allThere<T>(values: (T | undefined)[]): values is T[] {
  return !values.includes(undefined);
}

function decodeChild(value: unknown): OtherChild | undefined {
  if (typeof value === "string") return { name: value, isLink: false };
  if (!isList(value)) return undefined;
  const [name] = value;
  return typeof name === "string" ? { name, isLink: true } : undefined;
}

function decodeStamp(value: unknown): Stamp | undefined {
  if (!isList(value)) return undefined;
  const [mtimeMs, ctimeMs, size, inode] = value;
  if (typeof mtimeMs !== "number" || typeof ctimeMs !== "number") return undefined;
  if (typeof size !== "number" || typeof inode !== "number") return undefined;
  return inode === noStamp.inode ? noStamp : { mtimeMs, ctimeMs, size, inode };
}
