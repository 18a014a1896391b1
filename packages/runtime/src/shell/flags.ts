// Reads a program's flags by a table, as getopt_long does: bundles, glued values, abbreviated long names, `--`.
import type { ShellWord } from "./analysis.ts";
import { couldBeFlag } from "./words.ts";

/** Written as one text: `-a -n= --long --lines= --color=?` (`=`: takes a value, `=?`: may have one glued on, `-NUM`). */
export type FlagTable = string;

export interface FlagUse {
  readonly flag: string;
  readonly value?: ShellWord;
}

export interface ReadFlags {
  readonly flags: readonly FlagUse[];
  readonly operands: readonly ShellWord[];
}

export interface FlagOptions {
  /** The first operand ends the flags: what follows belongs to somebody else (env, sudo…). */
  readonly stopAtOperand?: boolean;
}

type Arity = "none" | "required" | "optional";

/** @output what the words say, or for people: what in them is not known */
export function readFlags(
  words: readonly ShellWord[],
  table: FlagTable,
  options: FlagOptions = {},
): ReadFlags | string {
  const known = tableOf(table);
  const flags: FlagUse[] = [];
  const operands: ShellWord[] = [];
  const queue = [...words];
  while (true) {
    const word = queue.shift();
    if (word === undefined) return { flags, operands };
    if (word.value === undefined) {
      if (couldBeFlag(word)) return `${word.text} could become a flag`;
      operands.push(word);
    } else if (word.value === "--") {
      return { flags, operands: [...operands, ...queue] };
    } else if (word.value === "-" || !word.value.startsWith("-")) {
      operands.push(word);
    } else {
      const read = word.value.startsWith("--") ? readLong(word.value, known) : readShort(word.value, known);
      if (typeof read === "string") return read;
      for (const use of read) {
        const value = use.needsNext ? queue.shift() : use.value;
        if (use.needsNext && value === undefined) return `${use.flag} lacks its value`;
        if (value?.splits === true) return `${value.text} could become several words`;
        flags.push(value === undefined ? { flag: use.flag } : { flag: use.flag, value });
      }
    }
    if (options.stopAtOperand === true && operands.length > 0)
      return { flags, operands: [...operands, ...queue] };
  }
}

interface Reading {
  readonly flag: string;
  readonly value?: ShellWord;
  readonly needsNext?: boolean;
}

function readLong(text: string, known: ReadonlyMap<string, Arity>): readonly Reading[] | string {
  const end = text.indexOf("=");
  const name = end < 0 ? text : text.slice(0, end);
  // An abbreviation is not looked up: what it stands for depends on flags that are not in the table.
  const arity = known.get(name);
  if (arity === undefined) return `the flag ${name} is not known to be harmless`;
  if (end < 0) return [{ flag: name, needsNext: arity === "required" }];
  if (arity === "none") return `the flag ${name} takes no value`;
  const value = text.slice(end + 1);
  return [{ flag: name, value: { text: value, value } }];
}

function readShort(text: string, known: ReadonlyMap<string, Arity>): readonly Reading[] | string {
  if (/^-\d+$/u.test(text) && known.has("-NUM")) return [{ flag: "-NUM" }];
  const readings: Reading[] = [];
  for (let at = 1; at < text.length; at += 1) {
    const flag = `-${text[at]}`;
    const arity = known.get(flag);
    if (arity === undefined) return `the flag ${flag} is not known to be harmless`;
    if (arity === "none") {
      readings.push({ flag });
      continue;
    }
    const value = text.slice(at + 1);
    if (value !== "") readings.push({ flag, value: { text: value, value } });
    else readings.push({ flag, needsNext: arity === "required" });
    break;
  }
  return readings;
}

const tables = new Map<FlagTable, ReadonlyMap<string, Arity>>();

function tableOf(table: FlagTable): ReadonlyMap<string, Arity> {
  const found = tables.get(table);
  if (found !== undefined) return found;
  const made = new Map<string, Arity>();
  for (const entry of table.split(/\s+/u).filter((part) => part !== "")) {
    if (entry.endsWith("=?")) made.set(entry.slice(0, -2), "optional");
    else if (entry.endsWith("=")) made.set(entry.slice(0, -1), "required");
    else made.set(entry, "none");
  }
  tables.set(table, made);
  return made;
}

/** Whether a word gives one of these flags: abbreviated long ones and bundled short ones count. */
export function givesFlag(word: string, flags: readonly string[]): boolean {
  const name = word.split("=", 1)[0] ?? "";
  return flags.some((flag) => {
    if (flag.startsWith("--")) return name.length > 2 && name.startsWith("--") && flag.startsWith(name);
    return /^-[^-]/u.test(word) && word.includes(flag.slice(1));
  });
}
