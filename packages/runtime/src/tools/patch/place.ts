// Finds where a hunk fits: its old lines, below its context lines, at or after a line.
import type { Hunk } from "./parse-patch.ts";

/**
 * @output 0-based places in order. Exact ones where there are any, else those that differ in trailing white space;
 *         several mean that the hunk is ambiguous.
 */
export function placesOf(texts: readonly string[], hunk: Hunk, from: number): number[] {
  const old = hunk.body.filter(({ sign }) => sign !== "+").map(({ text }) => text);
  const exact = placesBy(texts, hunk, old, from, (a, b) => a === b);
  return exact.length > 0 ? exact : placesBy(texts, hunk, old, from, (a, b) => a?.trimEnd() === b?.trimEnd());
}

type SameLine = (a: string | undefined, b: string | undefined) => boolean;

function placesBy(
  texts: readonly string[],
  { contexts, atEnd }: Hunk,
  old: readonly string[],
  from: number,
  same: SameLine,
): number[] {
  const last = texts.length - old.length;
  const fits = (at: number) => old.every((line, index) => same(texts[at + index], line));
  const first = atEnd ? Math.max(from, last) : from;
  if (old.length === 0) return insertionPlaces(texts, contexts, atEnd, from);
  const places: number[] = [];
  for (let at = first; at <= last; at += 1) if (fits(at)) places.push(at);
  if (contexts.length === 0) return places;
  // Below each place of the context, the nearest one is meant. The body may repeat the context line itself.
  const nearest = anchorsOf(texts, contexts, from).map((anchor) => places.find((place) => place >= anchor));
  return [...new Set(nearest.filter((place) => place !== undefined))];
}

/** A hunk that only adds goes right below its context, or to the end. */
function insertionPlaces(
  texts: readonly string[],
  contexts: readonly string[],
  atEnd: boolean,
  from: number,
): number[] {
  if (atEnd || contexts.length === 0) return [texts.length];
  return anchorsOf(texts, contexts, from).map((anchor) => anchor + 1);
}

/** Lines on which the innermost context stands. Indentation does not count: it is an aid, not a change. */
function anchorsOf(texts: readonly string[], contexts: readonly string[], from: number): number[] {
  const [outermost, ...inner] = contexts;
  let anchors = texts.flatMap((text, index) => (index >= from && text.trim() === outermost ? [index] : []));
  for (const context of inner) {
    const below = anchors.map((anchor) =>
      texts.findIndex((text, index) => index > anchor && text.trim() === context),
    );
    anchors = [...new Set(below.filter((index) => index >= 0))];
  }
  return anchors;
}
