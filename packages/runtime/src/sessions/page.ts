// A page of what a list of journals shows, the last used first; only those that are shown are opened.
import type { FoundSession } from "./find.ts";

/** Behind the last journal of a page. */
export interface ListPlace {
  readonly updatedMs: number;
  readonly id: string;
}

export interface ListProblem {
  readonly id: string;
  readonly problem: string;
}

export interface ListPage<T> {
  readonly shown: T[];
  /** How many there are in all, readable or not. */
  readonly total: number;
  readonly problems: ListProblem[];
  /** Absent on the last page. */
  readonly next?: ListPlace;
}

export interface PageOptions<T> {
  readonly limit: number;
  /** Where the page before ended. */
  readonly from?: ListPlace | undefined;
  /** @output undefined: there is nothing to show of it yet */
  readonly look: (found: FoundSession) => Promise<T | undefined>;
  /** What is wrong with one, in words. @error what is no fault of it */
  readonly problemIn: (error: unknown) => string;
}

/**
 * One that cannot be read is named and takes nobody's place.
 *
 * @input  found: the last used first
 */
export async function pageOf<T>(
  found: readonly FoundSession[],
  { limit, from, look, problemIn }: PageOptions<T>,
): Promise<ListPage<T>> {
  const shown: T[] = [];
  const problems: ListProblem[] = [];
  let last = from;
  let isWhole = true;
  for (const each of found) {
    const place = { updatedMs: each.updatedAt.getTime(), id: each.id };
    if (from !== undefined && !isBehind(place, from)) continue;
    if (shown.length >= limit) {
      isWhole = false;
      break;
    }
    last = place;
    try {
      const item = await look(each);
      if (item !== undefined) shown.push(item);
    } catch (error) {
      problems.push({ id: each.id, problem: problemIn(error) });
    }
  }
  const page = { shown, total: found.length, problems };
  return isWhole || last === undefined ? page : { ...page, next: last };
}

/** In the order of the list: the last used first. */
function isBehind(a: ListPlace, b: ListPlace): boolean {
  return a.updatedMs < b.updatedMs || (a.updatedMs === b.updatedMs && a.id < b.id);
}

/** A place as text that a face gives back. */
export function listCursorOf({ updatedMs, id }: ListPlace): string {
  return `${updatedMs}.${id}`;
}

/** @output undefined for what is no cursor */
export function listPlaceAt(cursor: string): ListPlace | undefined {
  const [, updatedMs, id] = /^(\d{1,15})\.([^.]{1,100})$/.exec(cursor) ?? [];
  return updatedMs === undefined || id === undefined ? undefined : { updatedMs: Number(updatedMs), id };
}
