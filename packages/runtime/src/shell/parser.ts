// The door to the bash grammar (unbash), which is loaded on first use. It is tolerant, so this file also says
// whether the whole text was understood.
import type { ParsedScript, SyntaxNode } from "unbash";

export type * from "unbash";

export interface Grammar {
  /** @output the tree, and why it does not stand for the whole text; `undefined`: it does */
  parse(text: string): { readonly script: ParsedScript; readonly defect: string | undefined };
  forEachChild(node: SyntaxNode, callback: (child: SyntaxNode) => void): void;
}

/** Longer commands are not parsed: nobody reads them in a question either, and the time must stay small. */
export const maxLength = 16 * 1024;
// The parser's time grows with the square of these.
const maxOpenings = 1000;

/** @output why a text is too much to be parsed */
export function excessOf(text: string): string | undefined {
  if (text.length > maxLength) return `is longer than ${maxLength} characters`;
  let openings = 0;
  for (const char of text) if ("({[<`$".includes(char)) openings += 1;
  return openings > maxOpenings ? `opens more than ${maxOpenings} brackets and expansions` : undefined;
}

let loaded: Promise<Grammar> | undefined;

export function loadGrammar(): Promise<Grammar> {
  loaded ??= import("unbash").then(({ parse, forEachChild }) => ({
    parse(text) {
      const script = parse(text);
      return { script, defect: defectOf(script, text, forEachChild) };
    },
    forEachChild,
  }));
  return loaded;
}

export function scriptDefect(script: ParsedScript): string | undefined {
  return script.errors?.[0]?.message;
}

/** The parser passes over some tokens that bash refuses: every gap between what it found has to be explained. */
function defectOf(
  script: ParsedScript,
  text: string,
  forEachChild: Grammar["forEachChild"],
): string | undefined {
  const error = scriptDefect(script);
  if (error !== undefined) return error;
  const hereDocuments: { readonly pos: number; readonly end: number }[] = [];
  let isOpen = false;
  const look = (node: SyntaxNode): void => {
    if (node.type === "HereDoc") {
      hereDocuments.push({ pos: node.body.pos, end: node.closing?.end ?? node.body.end });
      if (node.closing === undefined) isOpen = true;
    }
    // Substitutions are checked by the walk; their places may belong to another text.
    if (node.type !== "Script" || node === script) forEachChild(node, look);
  };
  look(script);
  const unread = unreadWord(script, forEachChild);
  if (unread !== undefined) return `unexpected ${JSON.stringify(unread.slice(0, 20))}`;
  return isOpen ? "a here-document has no end" : gapDefect([...script.commands, ...hereDocuments], text);
}

/**
 * A word that is said to be plain has no expansion, wherever it stands: the parser takes `2>(rm x)` for one. Words that
 * a command is made of are looked at more closely by the walk (`misreadText`).
 */
function unreadWord(node: SyntaxNode, forEachChild: Grammar["forEachChild"]): string | undefined {
  if (node.type === "Word" && node.parts === undefined) {
    return /[<>]\(|\$[({[]|`/.test(node.text.replaceAll(/\\./gs, "")) ? node.text : undefined;
  }
  let found: string | undefined;
  forEachChild(node, (child) => {
    found ??= unreadWord(child, forEachChild);
  });
  return found;
}

function gapDefect(
  parts: readonly { readonly pos: number; readonly end: number }[],
  text: string,
): string | undefined {
  let from = 0;
  const gaps: string[] = [];
  for (const { pos, end } of parts.toSorted((a, b) => a.pos - b.pos)) {
    gaps.push(text.slice(from, pos));
    from = Math.max(from, end);
  }
  gaps.push(text.slice(from));
  // A comment has to reach its end of line, or the pattern would try every way to divide it.
  const odd = gaps.find((gap) => !/^(?:[\s;&]|\\\n|#[^\n]*(?:\n|$))*$/u.test(gap));
  return odd === undefined ? undefined : `unexpected ${JSON.stringify(odd.trim().slice(0, 20))}`;
}
