// Command globs of rules: all words of one simple command, joined by one space; `*` is any text.
import { type GlobPart, matchesWildcards, parseWildcards } from "./wildcard.ts";

export interface CommandGlob {
  readonly matches: (text: string) => boolean;
}

export function compileCommandGlob(glob: string): CommandGlob {
  const parts: readonly GlobPart[] = parseWildcards(glob, { questionMark: false }) ?? [];
  return { matches: (text) => matchesWildcards(parts, text) };
}

/**
 * The text that a command glob is held against. A word with white space or quotes in it is quoted, so that two
 * commands with different words never look the same.
 */
export function joinedWords(words: readonly string[]): string {
  return words
    .map((word) => (/^[^\s']+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");
}

/** A glob that matches these words and no others. */
export function exactCommandGlob(words: readonly string[]): string {
  return joinedWords(words).replaceAll(/[\\*]/g, (character) => `\\${character}`);
}
