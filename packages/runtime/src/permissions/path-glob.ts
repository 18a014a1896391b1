// Path globs of rules: `*` and `?` stay within a name, `**` as a whole name stands for any number of names.
import { type GlobPart, matchesSequence, matchesWildcards, parseWildcards } from "./wildcard.ts";

/** What relative globs and those from ~/ are counted from. Each in every spelling that it has: logical and real. */
export interface PathBases {
  readonly root: readonly string[];
  readonly home: readonly string[];
}

export interface PathGlob {
  readonly matches: (path: string) => boolean;
  /** The glob asks for this name literally. */
  readonly names: (name: string) => boolean;
}

type Name = "any" | { readonly parts: readonly GlobPart[]; readonly literal: string | undefined };

/** @output what is wrong with the glob, and what to write; undefined: nothing */
export function pathGlobFault(glob: string): string | undefined {
  if (!glob.isWellFormed() || glob.includes("\0")) return "no file name can hold such a character";
  const names = withoutBase(glob).names;
  if (glob.startsWith("~") && !glob.startsWith("~/"))
    return "expected ~/ and a path: other users' homes need an absolute path";
  if (names.includes(".."))
    return "`..` is never part of a path that was resolved: write the path that it leads to";
  if (names.slice(0, -1).includes("") || names.includes("."))
    return "expected names between single slashes, without `.`";
  if (names.at(-1) === "")
    return `nothing ends with a slash: write ${JSON.stringify(`${glob}**`)} for what is in that directory`;
  if (parseWildcards(glob, { questionMark: true }) === undefined)
    return "a backslash at the end escapes nothing";
  return undefined;
}

/** @input glob: without faults */
export function compilePathGlob(glob: string, bases: PathBases): PathGlob {
  const { base, names } = withoutBase(glob);
  const tail = names.map(compileName);
  const starts = base === "absolute" ? [""] : bases[base];
  const patterns = starts.map((start) => [...namesOf(start).map(literalName), ...tail]);
  return {
    matches: (path) => {
      const items = namesOf(path);
      return patterns.some((pattern) => matchesSequence(pattern, items, (name) => name === "any", nameFits));
    },
    names: (name) => tail.some((one) => one !== "any" && one.literal === name),
  };
}

function withoutBase(glob: string): { base: "absolute" | "home" | "root"; names: string[] } {
  if (glob.startsWith("/")) return { base: "absolute", names: glob.slice(1).split("/") };
  if (glob.startsWith("~/")) return { base: "home", names: glob.slice(2).split("/") };
  return { base: "root", names: glob.replace(/^\.\//, "").split("/") };
}

function compileName(name: string): Name {
  if (name === "**") return "any";
  const parts = parseWildcards(name, { questionMark: true }) ?? [];
  const literal = parts.every(({ kind }) => kind === "literal")
    ? parts.map((part) => (part.kind === "literal" ? part.text : "")).join("")
    : undefined;
  return { parts, literal };
}

function literalName(name: string): Name {
  return { parts: Array.from(name, (text) => ({ kind: "literal", text })), literal: name };
}

function nameFits(name: Name, text: string): boolean {
  return name !== "any" && matchesWildcards(name.parts, text);
}

function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "");
}
