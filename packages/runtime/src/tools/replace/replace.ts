// Replaces exact text in a file's text. LF matches CRLF, and what is put in gets the line endings of its place.
import { ToolError } from "@codelia/core";
import { counted, dominantEnding, type LineEnding, withEnding } from "../files/index.ts";
import { nearestLines } from "./nearest-lines.ts";

export interface ReplaceRequest {
  readonly old: string;
  readonly new: string;
  /** Every occurrence instead of the only one. */
  readonly all: boolean;
  /** For messages. */
  readonly shown: string;
}

export interface Replacement {
  readonly text: string;
  /** Lines of the new text that each replacement put in, from 1; `to` is `from` where text was only removed. */
  readonly places: readonly { readonly from: number; readonly to: number }[];
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const maxNamedLines = 10;

/** @error ToolError when `old` is empty, equal to `new`, not there, or there more than once without `all` */
export function replaceExactly(text: string, request: ReplaceRequest): Replacement {
  const { old, new: fresh, all, shown } = request;
  if (old === "")
    throw new ToolError("`old` is empty. Give the text to replace, or use `write` for a whole file.");
  if (old === fresh) throw new ToolError("`old` and `new` are the same. Nothing was changed.");
  const { ranges, sameEndings } = rangesOf(text, old);
  const [first, second] = ranges;
  if (first === undefined) {
    throw new ToolError(
      `\`old\` does not occur in ${shown}. Nothing was changed.\n${nearestLines(text, old)}`,
    );
  }
  if (second !== undefined && !all) {
    const lines = lineNumbers(text, ranges.slice(0, maxNamedLines)).join(", ");
    const more = ranges.length > maxNamedLines ? ", …" : "";
    throw new ToolError(
      `\`old\` occurs ${counted(ranges.length, "time")} in ${shown}, on lines ${lines}${more}. Nothing was changed. ` +
        "Add lines around it until it is unique, or set `all`.",
    );
  }
  const ending = dominantEnding(text);
  const insert = (range: Range) => (sameEndings ? fresh : withEnding(fresh, endingIn(text, range) ?? ending));
  const replaced = assemble(text, withoutOverlap(ranges), insert);
  if (replaced.text === text)
    throw new ToolError("`old` and `new` differ only in line endings, which are kept.");
  return replaced;
}

/** Every place where `old` begins, overlapping ones too: two readings are as bad as two places. */
function rangesOf(text: string, old: string): { ranges: Range[]; sameEndings: boolean } {
  const exact = text.includes("\r\n") ? [] : indexesOf(text, old);
  if (exact.length > 0) {
    return { ranges: exact.map((start) => ({ start, end: start + old.length })), sameEndings: true };
  }
  const needle = old.replaceAll("\r\n", "\n");
  const toOriginal = originalOffsets(text);
  const ranges = indexesOf(text.replaceAll("\r\n", "\n"), needle).map((start) => ({
    start: toOriginal(start),
    end: toOriginal(start + needle.length),
  }));
  return { ranges, sameEndings: false };
}

function indexesOf(text: string, part: string): number[] {
  const indexes: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) indexes.push(at);
  return indexes;
}

/** From an offset in the text with LF only to the offset in the text as it is. Offsets must not descend. */
function originalOffsets(text: string): (offset: number) => number {
  // pairs[i]: where the i-th CR LF would be with all endings LF.
  const pairs: number[] = [];
  for (let at = text.indexOf("\r\n"); at >= 0; at = text.indexOf("\r\n", at + 2))
    pairs.push(at - pairs.length);
  return (offset) => offset + lowerBound(pairs, offset);
}

/** How many of the ascending numbers are below `limit`. */
function lowerBound(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function withoutOverlap(ranges: readonly Range[]): Range[] {
  const apart: Range[] = [];
  for (const range of ranges) if (range.start >= (apart.at(-1)?.end ?? 0)) apart.push(range);
  return apart;
}

/** The ending of the first line break that is replaced: a block in a mixed file keeps its own. */
function endingIn(text: string, { start, end }: Range): LineEnding | undefined {
  const feed = text.indexOf("\n", start);
  if (feed < 0 || feed >= end) return undefined;
  return text[feed - 1] === "\r" ? "\r\n" : "\n";
}

function assemble(text: string, ranges: readonly Range[], insert: (range: Range) => string): Replacement {
  const parts: string[] = [];
  const places: { from: number; to: number }[] = [];
  let [at, line] = [0, 1];
  for (const range of ranges) {
    const kept = text.slice(at, range.start);
    const fresh = insert(range);
    line += feedsIn(kept);
    const height = feedsIn(fresh);
    // A final line ending belongs to the last line that was put in.
    places.push({ from: line, to: line + Math.max(0, fresh.endsWith("\n") ? height - 1 : height) });
    parts.push(kept, fresh);
    line += height;
    at = range.end;
  }
  return { text: [...parts, text.slice(at)].join(""), places };
}

function lineNumbers(text: string, ranges: readonly Range[]): number[] {
  let [at, line] = [0, 1];
  return ranges.map(({ start }) => {
    line += feedsIn(text.slice(at, start));
    at = start;
    return line;
  });
}

function feedsIn(text: string): number {
  return text.split("\n").length - 1;
}
