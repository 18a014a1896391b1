// Applies the hunks of one file to its text, in memory. A hunk must have one place, and only one.
import { ToolError } from "@codelia/core";
import { dominantEnding, type LineEnding } from "../files/index.ts";
import { nearestLines } from "../replace/index.ts";
import type { Hunk } from "./parse-patch.ts";
import { placesOf } from "./place.ts";

interface Line {
  readonly text: string;
  readonly ending: LineEnding | "";
}

/**
 * @input  text without byte order mark
 * @output the new text: kept lines keep their bytes, new ones get the file's line ending, and the last line ends
 *         with a line ending exactly when it did before
 * @error  ToolError that names the hunk, the line of the patch, and what the file has there
 */
export function applyHunks(text: string, hunks: readonly Hunk[], shown: string): string {
  const lines = linesOf(text);
  const texts = lines.map((line) => line.text);
  const ending = dominantEnding(text);
  const result: Line[] = [];
  let cursor = 0;
  for (const [index, hunk] of hunks.entries()) {
    const at = onlyPlace(texts, hunk, cursor, `hunk ${index + 1} of ${shown}`, text);
    result.push(...lines.slice(cursor, at));
    cursor = at;
    for (const { sign, text: added } of hunk.body) {
      if (sign === "+") result.push({ text: added, ending });
      else {
        const line = lines[cursor];
        if (sign === " " && line !== undefined) result.push(line);
        cursor += 1;
      }
    }
  }
  result.push(...lines.slice(cursor));
  return join(result, ending, text === "" || text.endsWith("\n"));
}

function onlyPlace(texts: readonly string[], hunk: Hunk, cursor: number, name: string, text: string): number {
  const old = hunk.body.filter(({ sign }) => sign !== "+");
  if (old.length === 0 && hunk.contexts.length === 0 && !hunk.atEnd && texts.length > 0) {
    throw failure(
      hunk.line,
      name,
      'only adds lines and does not say where; add lines around them, or "*** End of File"',
    );
  }
  const places = placesOf(texts, hunk, cursor);
  const [first, second] = places;
  if (first === undefined) throw notFound(texts, hunk, cursor, name, text);
  if (second !== undefined) {
    const named = places
      .slice(0, 10)
      .map((place) => place + 1)
      .join(", ");
    const more = places.length > 10 ? ", …" : "";
    throw failure(
      hunk.line,
      name,
      `fits several places, at lines ${named}${more}; add lines around it, or "@@ line above"`,
    );
  }
  return first;
}

function notFound(
  texts: readonly string[],
  hunk: Hunk,
  cursor: number,
  name: string,
  text: string,
): ToolError {
  const old = hunk.body.filter(({ sign }) => sign !== "+");
  if (placesOf(texts, hunk, 0).length > 0) {
    return failure(
      hunk.line,
      name,
      "fits only above the hunk before it; put the hunks in the order of the file",
    );
  }
  if (hunk.contexts.length > 0 && placesOf(texts, { ...hunk, contexts: [] }, cursor).length > 0) {
    return failure(
      hunk.line,
      name,
      `has its lines in the file, but not below "@@ ${hunk.contexts.join('" and "@@ ')}"`,
    );
  }
  if (hunk.atEnd && placesOf(texts, { ...hunk, atEnd: false }, cursor).length > 0) {
    return failure(
      hunk.line,
      name,
      'has its lines in the file, but not at its end; leave out "*** End of File"',
    );
  }
  const best = bestStart(
    texts,
    old.map((line) => line.text),
    cursor,
  );
  const wrong = best === undefined ? undefined : old[best.matched];
  if (best === undefined || wrong === undefined) {
    const wanted = old.map((line) => line.text).join("\n");
    return failure(
      hunk.line,
      name,
      `does not fit: its lines are not in the file.\n${nearestLines(text, wanted)}`,
    );
  }
  const at = best.start + best.matched;
  const actual = texts[at];
  const there =
    actual === undefined ? "the file ends there" : `the file has on line ${at + 1}: ${actual.slice(0, 200)}`;
  return failure(wrong.line, name, `does not fit. Expected: ${wrong.text.slice(0, 200)}\nbut ${there}`);
}

/** Where most of the hunk's first lines are found. */
function bestStart(texts: readonly string[], old: readonly string[], cursor: number) {
  let best: { start: number; matched: number } | undefined;
  for (let start = cursor; start < texts.length; start += 1) {
    let matched = 0;
    while (matched < old.length && texts[start + matched]?.trimEnd() === old[matched]?.trimEnd())
      matched += 1;
    if (matched > (best?.matched ?? 0)) best = { start, matched };
  }
  return best;
}

function failure(line: number, name: string, what: string): ToolError {
  return new ToolError(`Line ${line} of the patch: ${name} ${what}\nNothing was changed.`);
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < text.length; ) {
    const feed = text.indexOf("\n", at);
    if (feed < 0) {
      lines.push({ text: text.slice(at), ending: "" });
      break;
    }
    const crlf = feed > at && text[feed - 1] === "\r";
    lines.push({ text: text.slice(at, crlf ? feed - 1 : feed), ending: crlf ? "\r\n" : "\n" });
    at = feed + 1;
  }
  return lines;
}

function join(lines: readonly Line[], ending: LineEnding, finalEnding: boolean): string {
  return lines
    .map((line, index) => {
      const last = index === lines.length - 1;
      return line.text + (last && !finalEnding ? "" : line.ending || ending);
    })
    .join("");
}
