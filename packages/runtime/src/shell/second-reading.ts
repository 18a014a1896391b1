// A second, independent reading of plain commands. A command runs without a question only if both readings agree,
// so that a mistake of the grammar alone opens nothing.
import type { ProgramUse } from "./analysis.ts";

// One word: bare characters, quotes, escapes; of `$` only what expands to nothing else.
const word =
  /(?:[^\s'"\\$`|&;<>()]|'[^']*'|\$?"(?:[^"\\$`]|\\[^\n]|\$(?![\w{([@*#?$!'-]))*"|\$'(?:[^'\\]|\\[^\n])*'|\\[^\n]|\$(?![\w{([@*#?$!'"-]))+/uy;
const blank = /[ \t]+/uy;
const joint = /&&|\|\||;|\|(?!&)/uy;
// To /dev/null, and copies of descriptors.
const redirection =
  /(?:\d*(?:>>|>\||<|>)|&>>?)[ \t]*\/dev\/null(?=[\s;|&<>]|$)|\d*[<>]&(?:\d+-?|-)(?=[\s;|&<>]|$)/uy;
const comment = /#[^\n]*$/uy;

/** @output whether a plain command has exactly these words for its programs */
export function agreesWith(programs: readonly ProgramUse[], command: string): boolean {
  // What another program starts is not in the command itself.
  const own = programs.filter(({ certainty, via }) => certainty === "certain" && via.length === 0);
  const found = own.map(({ words }) => words.map(({ text }) => text));
  const read = readPlainly(command.trim());
  return read !== undefined && JSON.stringify(read) === JSON.stringify(found);
}

/** @output the words of each simple command as written; `undefined`: there is more than plain words */
function readPlainly(text: string): readonly (readonly string[])[] | undefined {
  const commands: string[][] = [[]];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [taken] = pattern.exec(text) ?? [];
    if (taken !== undefined) at += taken.length;
    return taken;
  };
  while (at < text.length) {
    if (take(blank) !== undefined || take(redirection) !== undefined || take(comment) !== undefined) continue;
    if (take(joint) !== undefined) {
      commands.push([]);
      continue;
    }
    const taken = take(word);
    if (taken === undefined) return undefined;
    commands.at(-1)?.push(taken);
  }
  return commands.filter((words) => words.length > 0);
}
