// Turns a word of the syntax tree into what bash makes of it: quotes removed, what expansions decide left open.
import type { ShellWord } from "./analysis.ts";
import type { Assignment, Word, WordPart } from "./parser.ts";

/** A piece of a word in the order of the text. */
interface Piece {
  readonly known?: string;
  readonly splits?: boolean;
  readonly glob?: boolean;
}

/** @output the word; `value` only where no expansion, home directory, brace or file name pattern decides */
export function shellWord(word: Word): ShellWord {
  const { text } = word;
  if (hasTilde(text)) return { text, prefix: tildePrefix(text), splits: true };
  // Without parts the word has no quotes and no expansions, only backslashes.
  const pieces = word.parts?.flatMap(piecesOf) ?? [{ known: word.value }];
  return joined(text, pieces);
}

// What ends a word or starts an expansion, unless it is quoted: none of it can be part of plain text.
const bareSigns = /[`<>()|&; \t\n]|\$[\w{([@*#?$!'"-]/u;
const quotedSigns = /`|\$[\w{([@*#?$!-]/u;

/**
 * The parser takes `ls 2>(rm)` for a plain word where bash runs rm. So plain text is looked at once more.
 * @output a piece that the parser took for text and bash would not
 */
export function misreadText(word: Word): string | undefined {
  const { parts } = word;
  if (parts === undefined) return isMisread(word.text, bareSigns) ? word.text : undefined;
  for (const part of parts) {
    if (part.type === "Literal" && isMisread(part.text, bareSigns)) return part.text;
    if (part.type !== "DoubleQuoted" && part.type !== "LocaleString") continue;
    const odd = part.parts.find((child) => child.type === "Literal" && isMisread(child.text, quotedSigns));
    if (odd !== undefined) return odd.text;
  }
  return undefined;
}

function isMisread(text: string, signs: RegExp): boolean {
  return signs.test(text.replaceAll(/\\[\s\S]/gu, ""));
}

/** `name=value` as an argument of export, declare, env… */
export function assignmentWord({ text, name, value, append, index }: Assignment): ShellWord {
  const start = `${name}${append === true ? "+" : ""}=`;
  if (value.type === "ArrayValue" || index !== undefined) return { text, prefix: name };
  const word = shellWord(value);
  if (word.value === undefined) return { text, prefix: start + (word.prefix ?? "") };
  return { text, value: start + word.value };
}

/** A word whose value the text says. */
export function knownWord(value: string): ShellWord {
  return { text: value, value };
}

/** A word about which the text says nothing, such as what xargs appends. */
export const unknownWord: ShellWord = { text: "…", splits: true };

/** @output false: no flag can come out of this word */
export function couldBeFlag(word: ShellWord): boolean {
  const start = word.value ?? word.prefix ?? "";
  return start === ""
    ? word.value === undefined
    : /^[-+]/.test(start) || (word.splits === true && word.glob !== true);
}

function joined(text: string, pieces: readonly Piece[]): ShellWord {
  const open = pieces.findIndex((piece) => piece.known === undefined);
  const start = pieces.slice(0, open < 0 ? undefined : open).map((piece) => piece.known);
  if (open < 0) return { text, value: start.join("") };
  const unknown = pieces.filter((piece) => piece.known === undefined);
  return {
    text,
    prefix: start.join(""),
    ...(unknown.some((piece) => piece.splits === true) ? { splits: true as const } : {}),
    ...(unknown.every((piece) => piece.glob === true) ? { glob: true as const } : {}),
  };
}

function piecesOf(part: WordPart): readonly Piece[] {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
      return [{ known: part.value }];
    case "AnsiCQuoted":
      // Bytes that make no character, and what follows a NUL, differ between shells and locales.
      return /[\0\ufffd\ud800-\udfff]|[^\0-\u007f]/u.test(part.value) || /\\[0c]|\\x0/u.test(part.text)
        ? [{}]
        : [{ known: part.value }];
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.map(
        (child): Piece =>
          child.type === "Literal" ? { known: child.value } : { splits: child.text.includes("@") },
      );
    case "Glob":
      return [{ splits: true, glob: true }];
    case "ArithmeticExpansion":
    case "BraceExpansion":
    case "CommandExpansion":
    case "ExtendedGlob":
    case "ParameterExpansion":
    case "ProcessSubstitution":
    case "SimpleExpansion":
      return [{ splits: true }];
  }
}

/** Bash puts home directories in at the start of a word, and after `=` and `:` where it looks like an assignment. */
function hasTilde(text: string): boolean {
  return text.startsWith("~") || /^[A-Za-z_]\w*\+?=(?:|.*[:=])~/su.test(text);
}

function tildePrefix(text: string): string {
  return text.startsWith("~") ? "" : text.slice(0, text.indexOf("=") + 1);
}
