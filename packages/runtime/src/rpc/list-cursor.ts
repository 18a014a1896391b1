// Where a page of a list begins, as a face gives it back.
import { ProtocolError } from "@codelia/protocol";
import { type ListPlace, listCursorOf, listPlaceAt } from "../sessions/index.ts";

export function foreignCursor(): ProtocolError {
  return new ProtocolError("invalid_params", "the cursor is not one that a page gave");
}

/** @error ProtocolError invalid_params */
export function listPlaceOf(cursor: string | undefined): ListPlace | undefined {
  if (cursor === undefined) return undefined;
  const place = listPlaceAt(cursor);
  if (place === undefined) throw foreignCursor();
  return place;
}

export function nextCursor(next: ListPlace | undefined): { next_cursor?: string } {
  return next === undefined ? {} : { next_cursor: listCursorOf(next) };
}
