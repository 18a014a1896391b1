// Which files the model asked for by a glob, relative to the searched folder.
import { ToolError } from "@codelia/core";
import { visibleName } from "@codelia/shared-types";
import { Automaton } from "./automaton.ts";
import { GlobError, type GlobOptions, parseGlob } from "./glob-pattern.ts";
import { ProgramTooLarge } from "./program.ts";

export interface PathFilter {
  /** `path` is relative, with slashes. */
  readonly accepts: (path: string) => boolean;
  /** The walk must enter what begins with a dot; `accepts` still takes only what is named. */
  readonly hidden: boolean;
  /** `.git` is named itself; no other pattern enters it. */
  readonly git: boolean;
  /** A glob for the last name that every accepted file fits, when there is one. */
  readonly nameGlob: string | undefined;
}

export const everyFile: PathFilter = {
  accepts: () => true,
  hidden: false,
  git: false,
  nameGlob: undefined,
};

/** @input forbids: of a path below the searched folder */
export function without(filter: PathFilter, forbids: (path: string) => boolean): PathFilter {
  return { ...filter, accepts: (path) => filter.accepts(path) && !forbids(path) };
}

const gitNamed = /(?:^|[/{,])\.git(?=$|[/,}])/;

/**
 * @input  a glob; without a slash it fits at any depth, `!` before it leaves out what it fits; `root` is absolute
 * @error  ToolError
 */
export function parsePathFilter(glob: string, root: string): PathFilter {
  if (glob.startsWith("!")) {
    const { matches } = compileGlob(glob.slice(1), root, { hidden: true, emptyChoices: true });
    return { ...everyFile, accepts: (path) => !pathAndParents(path).some(matches) };
  }
  const { matches, namesHidden, anywhere } = compileGlob(glob, root, { hidden: false, emptyChoices: true });
  return {
    accepts: matches,
    hidden: namesHidden,
    git: gitNamed.test(glob),
    nameGlob: lastName(anywhere),
  };
}

function compileGlob(glob: string, root: string, options: GlobOptions) {
  const anywhere = normalise(glob, root);
  if (anywhere === "") throw new ToolError("The glob is empty: write **/* for all files.");
  if (glob.length > 4_096 || glob.includes("\0")) {
    throw new ToolError("The glob is too long or has a NUL character: write a shorter one.");
  }
  try {
    const { node, namesHidden } = parseGlob(anywhere, options);
    const automaton = new Automaton(node, { anchored: true, lines: false });
    return { matches: (path: string) => automaton.matches(path), namesHidden, anywhere };
  } catch (error) {
    if (!(error instanceof GlobError || error instanceof ProgramTooLarge)) throw error;
    throw new ToolError(
      `Invalid glob ${visibleName(glob)}: ${error.message}. A backslash makes a character literal.`,
    );
  }
}

function normalise(glob: string, root: string): string {
  const prefix = root.endsWith("/") ? root : `${root}/`;
  let anchored = glob.startsWith(prefix) ? `/${glob.slice(prefix.length)}` : glob;
  while (anchored.startsWith("./")) anchored = anchored.slice(2);
  if (anchored.endsWith("/") && !anchored.endsWith("\\/")) anchored += "**";
  if (anchored.startsWith("/")) return anchored.slice(1);
  return anchored.includes("/") || anchored === "" || anchored === "**" ? anchored : `**/${anchored}`;
}

// Only where splitting at the last slash cannot cut a class, a choice or an escape in two.
function lastName(glob: string): string | undefined {
  const name = glob.slice(glob.lastIndexOf("/") + 1);
  if (/[\\[\]]/.test(glob) || name.includes("**") || name === "" || name.startsWith("include:"))
    return undefined;
  if (/[{}]/.test(glob.slice(0, -name.length))) return undefined;
  // ripgrep takes no empty choice and no choice in a choice on every version.
  if (/\{,|,,|,\}|\{\}|\{[^}]*\{/.test(name)) return undefined;
  // Its `?` is one byte, not one character.
  return name.replace(/[?*]+/g, "*");
}

function pathAndParents(path: string): string[] {
  const names = path.split("/");
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}
