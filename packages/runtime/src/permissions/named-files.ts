// Words of a command that may name files: a deny rule about paths is held against them.
import type { FileSystem } from "@codelia/shared-types";
import type { CommandAnalysis, ObstacleKind, ShellWord } from "../shell/index.ts";
import { dataPrograms } from "./outside-words.ts";
import { patternPlaces } from "./pattern-places.ts";
import type { FilePath } from "./real-path.ts";
import { joined, placeOf } from "./word-places.ts";

export interface NamedFilesOptions {
  /** Directories that the command may stand in. */
  readonly places: readonly string[];
  /** What `~` stands for. */
  readonly home: string;
}

/** @output whatever a word could mean, of every program that the text names with words, and of every variable */
export async function namedFiles(
  fs: FileSystem,
  analysis: CommandAnalysis,
  { places, home }: NamedFilesOptions,
): Promise<FilePath[]> {
  const areTexts = !analysis.obstacles.some(({ kind }) => handingOn.has(kind));
  const words = [
    ...analysis.programs.flatMap(({ name, words: [, ...given] }) =>
      areTexts && dataPrograms.has(name) ? given.filter(({ glob }) => glob === true) : given,
    ),
    ...analysis.assigned,
  ];
  const paths = new Set<string>();
  for (const place of places) {
    for (const word of words) {
      for (const name of namesIn(word, { home, cwd: place })) paths.add(joined(place, name));
      if (word.glob !== true) continue;
      for (const path of (await patternPlaces(fs, place, word)).paths) paths.add(path);
    }
  }
  return Promise.all(Array.from(paths, (path) => placeOf(fs, path)));
}

/** With these in a command, what echo says may become a word of another: `echo .env | xargs cat`. */
const handingOn: ReadonlySet<ObstacleKind> = new Set([
  "substitution",
  "wrapper",
  "interpreter",
  "expansion",
  "computed_program",
  "shell_state",
  "unparsable",
]);

/** Bash decides what these stand for, so that such a word's value is not known; the rest of it is as written. */
const plainFromFolder =
  /^"?(~|\$HOME|\$\{HOME\}|\$PWD|\$\{PWD\})((?:\/[\w./+,%=@:-]*)?)"?((?:\/[\w./+,%=@:-]*)?)$/;

function written(text: string, { home, cwd }: { home: string; cwd: string }): string | undefined {
  const [, folder = "", quoted = "", rest = ""] = plainFromFolder.exec(text) ?? [];
  return folder === "" ? undefined : `${folder.includes("PWD") ? cwd : home}${quoted}${rest}`;
}

/** A path may stand behind a flag or beside a mark: `-f.env`, `--file=.env`, `if=.env`, `@.env`, `HEAD:.env`, `.env:/x`. */
function namesIn(word: ShellWord, folders: { home: string; cwd: string }): string[] {
  return textsOf(word, folders).flatMap((text) => {
    const beside = Array.from(text.matchAll(/[=@:,)]/g)).flatMap(({ index }) => [
      text.slice(index + 1),
      text.slice(0, index),
    ]);
    const flagged = /^-[^-]/.test(text) ? [text.slice(2)] : [];
    return [text, ...beside, ...flagged].filter((name) => name !== "" && !name.includes("\0"));
  });
}

function textsOf(
  { value, text, prefix = "", glob }: ShellWord,
  folders: { home: string; cwd: string },
): string[] {
  if (value !== undefined) return [value.replace(/^~(?=\/|$)/, folders.home)];
  // A pattern looks into the directory that it begins with.
  if (glob === true) return [`${prefix.slice(0, prefix.lastIndexOf("/") + 1)}.`];
  const known = written(text, folders);
  return known === undefined ? bracedTexts(text) : [known];
}

const maxBraced = 64;

/** @output what `a{b,c}` becomes; none where the text has more in it than names, commas and braces */
function bracedTexts(text: string): string[] {
  if (!/^[\w./+%@=:,{}-]+$/.test(text)) return [];
  let texts = [text];
  for (let at = 0; at < texts.length && texts.length <= maxBraced; at += 1) {
    const [braces, list] = /\{([^{}]*,[^{}]*)\}/.exec(texts[at] ?? "") ?? [];
    if (braces === undefined || list === undefined) continue;
    texts = [...texts, ...list.split(",").map((one) => (texts[at] ?? "").replace(braces, one))];
  }
  return texts.filter((one) => !/[{}]/.test(one));
}
