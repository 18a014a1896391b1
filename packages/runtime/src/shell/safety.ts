// Whether a command is known to only read: plain words, programs of the safe list, flags of its tables.
import type { CommandAnalysis, ShellWord } from "./analysis.ts";
import { readFlags } from "./flags.ts";
import { safeLanguages } from "./safe-languages.ts";
import { safePrograms } from "./safe-programs.ts";
import { knownWord } from "./words.ts";

export type Safety = { readonly safe: true } | { readonly safe: false; readonly reason: string };

/** @input the words of one simple command, its program first */
export function safetyOf(words: readonly (string | ShellWord)[]): Safety {
  const [program, ...args] = words.map((word) => (typeof word === "string" ? knownWord(word) : word));
  const name = program?.value;
  if (name === undefined) return unsafe("the program is computed");
  if (name.includes("/")) return unsafe(`${name} is a path: only bare names are on the list`);
  const language = safeLanguages.get(name);
  if (language !== undefined) {
    const reason = language(args);
    return reason === undefined ? { safe: true } : unsafe(`${name}: ${reason}`);
  }
  const entry = safePrograms.get(name);
  if (entry === undefined) return unsafe(`${name} is not on the list of programs that only read`);
  if (entry.anyWords === true) return { safe: true };
  // A pattern that could become a flag is left out where no flag does harm.
  const checked = entry.onlyReads === true ? args.filter(({ glob }) => glob !== true) : args;
  const read = readFlags(checked, entry.flags);
  if (typeof read === "string") return unsafe(`${name}: ${read}`);
  if (entry.maxOperands === undefined) return { safe: true };
  const several = read.operands.some(({ value }) => value === undefined);
  if (several || read.operands.length > entry.maxOperands)
    return unsafe(`${name} with so many names may write`);
  return { safe: true };
}

/** @output safe only if nothing has to be asked: no obstacle, and every program is known to only read */
export function safetyOfCommand({ programs, obstacles }: CommandAnalysis): Safety {
  const [obstacle] = obstacles;
  if (obstacle !== undefined) return unsafe(obstacle.text);
  if (programs.length === 0) return unsafe("there is no program");
  for (const { words } of programs) {
    const safety = safetyOf(words);
    if (!safety.safe) return safety;
  }
  // Another folder may be a repository whose config names programs.
  const names = new Set(programs.map(({ name }) => name));
  if (names.has("cd") && names.has("git"))
    return unsafe("git in another folder follows that folder's config");
  return { safe: true };
}

function unsafe(reason: string): Safety {
  return { safe: false, reason };
}
