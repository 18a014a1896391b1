// Words of a command that only looks, and that lead out of the workspace: reading there is asked about, as for `read`.
import { isInside } from "@codelia/core";
import type { FileSystem } from "@codelia/shared-types";
import type { ProgramUse, ShellWord } from "../shell/index.ts";
import { patternPlaces } from "./pattern-places.ts";
import { realPathOf } from "./real-path.ts";
import { joined } from "./word-places.ts";

// What they are given is data, never a file.
export const dataPrograms: ReadonlySet<string> = new Set(["echo", "printf", "true", "false", "pwd"]);

export interface OutsideOptions {
  readonly fs: FileSystem;
  /** Directories that the command may stand in. */
  readonly places: readonly string[];
  /** Real paths of what may be read. */
  readonly inside: readonly string[];
}

/** @output the first word that names something outside; a word that names nothing is a pattern or text */
export async function outsideWord(use: ProgramUse, options: OutsideOptions): Promise<string | undefined> {
  // Many look at where they stand without a word: ls, rg, tree.
  for (const place of options.places) if (await isOutside(place, options)) return place;
  for (const word of use.words.slice(1)) {
    // The shell itself looks for the names that a pattern matches, whatever they are meant for.
    if (word.glob === true) {
      if (await patternLeadsOut(word, options)) return word.text;
    } else if (word.value === undefined) return word.text;
    else if (!dataPrograms.has(use.name)) {
      for (const name of namesIn(word.value)) if (await leadsOut(name, options)) return name;
    }
  }
  return followedFolder(use, options);
}

/** A flag may carry its path behind it: `-f/etc/passwd`, `-fname`, `--file=../x`. */
function namesIn(word: string): string[] {
  if (!word.startsWith("-")) return [word];
  const at = word.search(/[/~]|\.\./);
  const glued = word.startsWith("--") ? word.slice(word.indexOf("=") + 1) : word.slice(2);
  return [glued, ...(at < 0 ? [] : [word.slice(at)])].filter((name) => name !== "" && name !== word);
}

async function patternLeadsOut(word: ShellWord, options: OutsideOptions): Promise<boolean> {
  for (const place of options.places) {
    const { paths, isCertain } = await patternPlaces(options.fs, place, word);
    if (!isCertain) return true;
    for (const path of paths) if (await isOutside(path, options)) return true;
  }
  return false;
}

async function leadsOut(name: string, options: OutsideOptions): Promise<boolean> {
  if (name.startsWith("~")) return true;
  if (name === "/dev/null") return false;
  for (const place of options.places) {
    const path = joined(place, name);
    const isThere = (await options.fs.lstat(path).catch(() => null)) !== undefined;
    if (isThere && (await isOutside(path, options))) return true;
  }
  return false;
}

async function isOutside(path: string, { fs, inside }: OutsideOptions): Promise<boolean> {
  const real = await realPathOf(fs, path);
  return real === undefined || !inside.some((directory) => isInside(real, directory));
}

/** diff reads what links in its folders lead to; no other program of the list does with the flags that are. */
async function followedFolder(
  { name, words }: ProgramUse,
  { fs, places }: OutsideOptions,
): Promise<string | undefined> {
  if (name !== "diff" || words.some(({ value }) => value === "--no-dereference")) return undefined;
  for (const { value, text } of words.slice(1)) {
    for (const place of places) {
      const stat = await fs.stat(joined(place, value ?? text)).catch(() => undefined);
      if (stat?.kind === "directory") return `what links in ${value ?? text} lead to`;
    }
  }
  return undefined;
}
