// Words of a command that only looks, and that lead out of the workspace: reading there is asked about, as for `read`.
import { resolve } from "node:path";
import { isInside } from "@codelia/core";
import type { FileSystem } from "@codelia/shared-types";
import type { ProgramUse } from "../shell/index.ts";
import { realPathOf } from "./real-path.ts";

// What they are given is data, never a file.
export const dataPrograms: ReadonlySet<string> = new Set(["echo", "printf", "true", "false", "pwd"]);

export interface OutsideOptions {
  readonly fs: FileSystem;
  /** Of the command. */
  readonly cwd: string;
  /** Real paths of what may be read. */
  readonly inside: readonly string[];
  /** The command changes its directory on the way, so that `..` may lead anywhere. */
  readonly moves: boolean;
}

/** @output the first word that names something outside; a word that names nothing is a pattern or text */
export async function outsideWord(use: ProgramUse, options: OutsideOptions): Promise<string | undefined> {
  if (dataPrograms.has(use.name)) return undefined;
  for (const { value, text, prefix = "", glob } of use.words.slice(1)) {
    const known = value ?? (glob === true ? patternPlace(prefix, text) : undefined);
    const candidate = known === undefined ? text : pathIn(known);
    if (candidate !== undefined && (await leadsOut(candidate, known === undefined, options)))
      return candidate;
  }
  return undefined;
}

/** A pattern looks into the directory that it begins with; one that goes up on its way may look anywhere. */
export function patternPlace(prefix: string, text: string): string | undefined {
  return text.includes("..") ? undefined : `${prefix.slice(0, prefix.lastIndexOf("/") + 1)}.`;
}

/** A flag may carry its path behind it: `-f/etc/passwd`, `--file=../x`. */
function pathIn(word: string): string | undefined {
  if (!word.startsWith("-")) return word;
  const at = word.search(/[/~]|\.\./);
  return at < 0 ? undefined : word.slice(at);
}

async function leadsOut(
  candidate: string,
  isUnknown: boolean,
  { fs, cwd, inside, moves }: OutsideOptions,
): Promise<boolean> {
  if (isUnknown || candidate.startsWith("~")) return true;
  if (moves && candidate.split("/").includes("..")) return true;
  if (candidate === "/dev/null") return false;
  const path = resolve(cwd, candidate);
  const isThere = (await fs.lstat(path).catch(() => null)) !== undefined;
  if (!isThere) return false;
  const real = await realPathOf(fs, path);
  return real === undefined || !inside.some((directory) => isInside(real, directory));
}
