// Finds the skills that a user's message names: `$name` and `[$name](path)`.
import type { Mention } from "./types.ts";

/**
 * `$` at a word boundary, then a name; or the same in brackets with a path behind it. Blanks and a line's end between
 * the two do not part them, since whoever wrote a path means that one.
 */
const mention =
  /(?<![\p{L}\p{N}\p{M}_$\\])(?:\[\$([A-Za-z0-9_][A-Za-z0-9_-]*)\][ \t]*(?:\r?\n[ \t]*)?\(([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)|\$([A-Za-z0-9_][A-Za-z0-9_-]*))/gu;
/** Behind a name, these make it part of another word. */
const wordGoesOn = /^[\p{L}\p{N}\p{M}_$]/u;
/** More than this in one message is no list of skills that somebody wrote. */
const maxMentions = 64;

/**
 * @input  isSkillName whether a skill has exactly this name: `$HOME`, `$5` and `$path` are mentions only then
 * @output in order, each once; a name without a path only where a skill has it, or where it could be one
 */
export function findMentions(text: string, isSkillName: (name: string) => boolean): Mention[] {
  if (!text.includes("$")) return [];
  const prose = withoutCode(text);
  const found: Mention[] = [];
  const seen = new Set<string>();
  for (const match of prose.matchAll(mention)) {
    const [whole, linked, path, plain = ""] = match;
    const rest = prose.slice(match.index + whole.length, match.index + whole.length + 2);
    if (linked === undefined && wordGoesOn.test(rest)) continue;
    const name = (linked ?? plain).replace(/-+$/, "");
    const target = path?.trim();
    if (!isMention(name, isSkillName)) continue;
    const key = JSON.stringify([name, target]);
    if (name === "" || seen.has(key)) continue;
    seen.add(key);
    found.push({ name, path: target === "" ? undefined : target, index: match.index });
    if (found.length >= maxMentions) break;
  }
  return found;
}

function isMention(name: string, isSkillName: (name: string) => boolean): boolean {
  if (isSkillName(name)) return true;
  // Not so environment variables, amounts of money, and names that no skill can have.
  return /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name);
}

/** The text with everything in code spans and fences blanked out, all else at its place. */
function withoutCode(text: string): string {
  if (!text.includes("`") && !text.includes("~~~")) return text;
  return blankSpans(blankFences(text));
}

function blankFences(text: string): string {
  let fence: { mark: string; length: number } | undefined;
  return text
    .split("\n")
    .map((line) => {
      const [, marks = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
      if (fence === undefined) {
        // Behind backticks there is only the language: others make it a code span.
        const opens =
          marks !== "" && !(marks.startsWith("`") && line.trimStart().slice(marks.length).includes("`"));
        if (!opens) return line;
        fence = { mark: marks.charAt(0), length: marks.length };
        return blank(line);
      }
      const { mark, length } = fence;
      const closes = marks.startsWith(mark) && marks.length >= length && line.trim() === marks;
      if (closes) fence = undefined;
      return blank(line);
    })
    .join("\n");
}

/** A span ends at as many backticks as it began with; without an end they are only characters. */
function blankSpans(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ index, length }));
  const pieces: string[] = [];
  // For each length where the next run of it is, so that many unclosed ones do not take quadratic time.
  const next = new Map<number, number[]>();
  for (const [at, { length }] of runs.entries()) {
    const places = next.get(length);
    if (places === undefined) next.set(length, [at]);
    else places.push(at);
  }
  for (const places of next.values()) places.reverse();
  let from = 0;
  for (let at = 0; at < runs.length; ) {
    const open = runs[at];
    if (open === undefined) break;
    const places = next.get(open.length) ?? [];
    while (places.length > 0 && (places.at(-1) ?? 0) <= at) places.pop();
    const end = places.at(-1);
    const close = end === undefined ? undefined : runs[end];
    if (end === undefined || close === undefined) {
      at += 1;
      continue;
    }
    const stop = close.index + close.length;
    pieces.push(text.slice(from, open.index), blank(text.slice(open.index, stop)));
    from = stop;
    at = end + 1;
  }
  return pieces.join("") + text.slice(from);
}

/** Blanks that are no word boundary of their own making: what stood there was code. */
function blank(text: string): string {
  return " ".repeat(text.length);
}
