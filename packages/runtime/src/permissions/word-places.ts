// Where the words of a command lead: from every directory that it may stand in, and through links as the system follows
// them.
import { resolve } from "node:path";
import type { FileSystem } from "@codelia/shared-types";
import type { CommandAnalysis, ShellWord } from "../shell/index.ts";
import { type FilePath, realPathOf } from "./real-path.ts";

/** After these a relative name leads elsewhere. */
const movers: ReadonlySet<string> = new Set(["cd", "pushd", "popd", "chdir"]);

// Each move may double them; past this nobody can tell.
const maxPlaces = 32;

/**
 * @input  home: what `cd` alone leads to
 * @output the directories that a command may stand in on its way, the first one included; undefined: nobody can tell
 */
export function placesOf(
  { programs }: CommandAnalysis,
  cwd: string,
  home: string | undefined,
): readonly string[] | undefined {
  const places = new Set([cwd]);
  for (const { name, words } of programs) {
    if (!movers.has(name)) continue;
    const named = targetOf(name, words.slice(1), home);
    if (named === undefined || places.size > maxPlaces) return undefined;
    // It may stand in a subshell of its own, or fail: then the command stays where it was.
    const before = Array.from(places);
    for (const place of before) {
      places.add(resolve(place, named));
      // Bash takes `..` for the folder that it reads, and where that is none for the one that the system finds.
      if (named.split("/").includes("..")) places.add(joined(place, named));
    }
  }
  return [...places];
}

/** @output undefined for `cd -`, `pushd +1` and what is computed: the text does not say where they lead */
function targetOf(name: string, words: readonly ShellWord[], home: string | undefined): string | undefined {
  const [target, ...others] = words.filter(({ value }) => !/^-[LPe@]+$|^--$/u.test(value ?? ""));
  if (others.length > 0) return undefined;
  if (target === undefined) return name === "cd" ? home : undefined;
  const { value } = target;
  return value === undefined || value === "" || /^[-+]/u.test(value) ? undefined : value;
}

export function isMover(name: string): boolean {
  return movers.has(name);
}

/** Not shortened: what `..` behind a link leads to, the system decides. */
export function joined(place: string, name: string): string {
  return name.startsWith("/") ? name : `${place}/${name}`;
}

/** @output `logical` as it reads, `real` as the system goes */
export async function placeOf(fs: FileSystem, path: string): Promise<FilePath> {
  return { logical: resolve(path), real: await realPathOf(fs, path) };
}
