// What a file name pattern of a command matches. Bash decides it when the command runs; this looks just before.
import type { DirectoryEntry, FileSystem } from "@codelia/shared-types";
import type { ShellWord } from "../shell/index.ts";
import { matchesSequence } from "./wildcard.ts";
import { joined } from "./word-places.ts";

export interface PatternPlaces {
  /** Paths as bash puts them together, not shortened. May be more than it finds, never fewer where `isCertain`. */
  readonly paths: readonly string[];
  readonly isCertain: boolean;
}

// Past it nobody can tell.
const maxFolders = 500;

type Part = "any" | ((character: string) => boolean);

/** @effects lists directories */
export async function patternPlaces(
  fs: FileSystem,
  place: string,
  { text, prefix = "" }: ShellWord,
): Promise<PatternPlaces> {
  // With quotes before its first sign the text is not the pattern, letter for letter.
  if (!text.startsWith(prefix)) {
    const end = prefix.lastIndexOf("/") + 1;
    const folder = joined(place, prefix.slice(0, end));
    const paths = await below(fs, [folder], ({ name }) => name.startsWith(prefix.slice(end)));
    return { paths, isCertain: false };
  }
  const names = text.split("/");
  let paths: readonly string[] = text.startsWith("/") ? [""] : [place];
  let isCertain = true;
  for (const [index, name] of names.entries()) {
    if (name === "" && index === 0) continue;
    const fits = isPlain(name) ? undefined : matcher(name);
    if (fits === undefined) {
      paths = paths.map((path) => `${path}/${name}`);
      continue;
    }
    // Before version 5.2 bash takes `..` for a match of `.*`.
    if (paths.length > maxFolders || fits("..")) isCertain = false;
    paths = await below(fs, paths.slice(0, maxFolders), (entry) => fits(entry.name));
  }
  const there = await Promise.all(
    paths.map(async (path) => (await fs.lstat(path).catch(() => null)) !== undefined),
  );
  return { paths: paths.filter((_, index) => there[index]), isCertain };
}

async function below(
  fs: FileSystem,
  folders: readonly string[],
  isWanted: (entry: DirectoryEntry) => boolean,
): Promise<string[]> {
  const lists = await Promise.all(folders.map((folder) => fs.list(folder || "/").catch(() => undefined)));
  return lists.flatMap((entries, index) =>
    (entries ?? []).filter(isWanted).map(({ name }) => `${folders[index] ?? ""}/${name}`),
  );
}

function isPlain(name: string): boolean {
  return !/[*?[\]\\"'$]/u.test(name);
}

/** A dot in front is matched by a dot alone. */
function matcher(name: string): (text: string) => boolean {
  const parts = partsOf(name);
  if (parts === undefined) return (text) => /^["'$\\.]/u.test(name) || !text.startsWith(".");
  return (text) =>
    (name.startsWith(".") || !text.startsWith(".")) &&
    matchesSequence(
      parts,
      Array.from(text),
      (part) => part === "any",
      (part, character) => part !== "any" && part(character),
    );
}

const sign = /\*|\?|\[([!^]?)((?:[\w.,@+](?:-[\w.,@+])?)+)\]|[^[\]\\"'$]/uy;

/** @output undefined: it has quotes or signs that are not read here, and may stand for any name */
function partsOf(name: string): readonly Part[] | undefined {
  const parts: Part[] = [];
  sign.lastIndex = 0;
  while (sign.lastIndex < name.length) {
    const found = sign.exec(name);
    if (found === null) return undefined;
    const [text, not = "", list = ""] = found;
    if (text === "*") parts.push("any");
    else if (text === "?") parts.push(() => true);
    else if (text.startsWith("[")) parts.push((one) => inList(list, one) === (not === ""));
    else parts.push((one) => one === text);
  }
  return parts;
}

/** In some languages a range holds capital letters too. */
function inList(list: string, character: string): boolean {
  const given = [character, character.toLowerCase(), character.toUpperCase()];
  return Array.from(list.matchAll(/(.)-(.)|(.)/gu)).some(([, from, to, one]) =>
    given.some((each) => (one === undefined ? (from ?? "") <= each && each <= (to ?? "") : each === one)),
  );
}
