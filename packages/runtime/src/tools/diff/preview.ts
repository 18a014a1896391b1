// A change as people read it: a unified diff with two lines of context, harmless on a terminal, never long.
import { visibleName, visibleText } from "@codelia/shared-types";
import { diffLines, type LineEdit } from "./line-diff.ts";

const contextLines = 2;
const maxLines = 200;
const maxLineLength = 400;

/**
 * @input  texts before and after; undefined: the file is not there
 * @output the diff without control characters; at most about 200 lines, the rest is counted
 */
export function preview(path: string, before: string | undefined, after: string | undefined): string {
  const old = linesOf(before);
  const fresh = linesOf(after);
  const name = visibleName(path);
  const head = [
    before === undefined ? "--- (new file)" : `--- ${name}`,
    after === undefined ? "+++ (deleted)" : `+++ ${name}`,
  ];
  const body = groupsOf(diffLines(old, fresh)).flatMap((group) => hunk(group, old, fresh));
  const cut = body.length - maxLines;
  const shown = cut > 0 ? [...body.slice(0, maxLines), `… ${cut} more lines of this diff`] : body;
  return [...head, ...shown].join("\n");
}

function linesOf(text: string | undefined): string[] {
  if (text === undefined || text === "") return [];
  const lines = text.split("\n");
  // A missing final line ending is part of the last line here, so that adding one shows.
  if (lines.at(-1) === "") lines.pop();
  else lines.push(`${lines.pop() ?? ""}\n\\ no newline at the end`);
  return lines;
}

/** Edits whose context would touch are one hunk. */
function groupsOf(edits: readonly LineEdit[]): LineEdit[][] {
  const groups: LineEdit[][] = [];
  for (const edit of edits) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const near = last !== undefined && edit.before - (last.before + last.beforeLength) <= contextLines * 2;
    if (near) group?.push(edit);
    else groups.push([edit]);
  }
  return groups;
}

function hunk(group: readonly LineEdit[], old: readonly string[], fresh: readonly string[]): string[] {
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) return [];
  const from = Math.max(0, first.before - contextLines);
  const to = Math.min(old.length, last.before + last.beforeLength + contextLines);
  const freshFrom = first.after - (first.before - from);
  const freshTo = last.after + last.afterLength + (to - last.before - last.beforeLength);
  const lines = [`@@ -${range(from, to)} +${range(freshFrom, freshTo)} @@`];
  let at = from;
  for (const edit of group) {
    lines.push(...old.slice(at, edit.before).map((line) => signed(" ", line)));
    at = edit.before + edit.beforeLength;
    lines.push(...old.slice(edit.before, at).map((line) => signed("-", line)));
    lines.push(...fresh.slice(edit.after, edit.after + edit.afterLength).map((line) => signed("+", line)));
  }
  return [...lines, ...old.slice(at, to).map((line) => signed(" ", line))];
}

function range(from: number, to: number): string {
  // An empty range names the line before it, as in every unified diff.
  return `${to > from ? from + 1 : from},${to - from}`;
}

function signed(sign: string, line: string): string {
  // Line endings are kept by every tool, so a CR at the end is no news.
  const bare = line.endsWith("\r") ? line.slice(0, -1) : line;
  const cut = bare.length > maxLineLength ? `${bare.slice(0, maxLineLength).toWellFormed()}…` : bare;
  return sign + visibleText(cut);
}
