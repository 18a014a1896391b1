// Words of a command that may name files: a deny rule about paths is held against them.
import { resolve } from "node:path";
import type { FileSystem } from "@codelia/shared-types";
import type { CommandAnalysis, ShellWord } from "../shell/index.ts";
import { dataPrograms, patternPlace } from "./outside-words.ts";
import { type FilePath, filePaths } from "./real-path.ts";

export interface NamedFilesOptions {
  /** Of the command. */
  readonly cwd: string;
  /** What `~` stands for. */
  readonly home: string;
}

/** @output whatever a word could mean, of every program that the text names with words */
export function namedFiles(
  fs: FileSystem,
  { programs }: CommandAnalysis,
  { cwd, home }: NamedFilesOptions,
): Promise<FilePath[]> {
  const words = programs.flatMap(({ name, words: [, ...given] }) => (dataPrograms.has(name) ? [] : given));
  const names = new Set(words.flatMap(namesIn));
  return filePaths(
    fs,
    Array.from(names, (name) => resolve(cwd, name.replace(/^~(?=\/|$)/, home))),
  );
}

/** Bash decides what `~` is, so that such a word's value is not known; the rest of it is as written. */
const plainFromHome = /^~(?:\/[\w./+,%=@:-]*)?$/;

/** A path may stand behind a flag or a mark: `-f.env`, `--file=.env`, `if=.env`, `@.env`, `HEAD:.env`. */
function namesIn({ value, text, prefix = "", glob }: ShellWord): string[] {
  const word = value ?? (glob === true ? patternPlace(prefix, text) : plainFromHome.exec(text)?.[0]);
  if (word === undefined) return [];
  const marked = Array.from(word.matchAll(/[=@:]/g), ({ index }) => word.slice(index + 1));
  const flagged = /^-[^-]/.test(word) ? [word.slice(2)] : [];
  return [word, ...marked, ...flagged].filter((name) => name !== "" && !name.includes("\0"));
}
