// A glance at a journal's bytes: most of those that a search goes through need not be parsed.
import { type Disk, nodeDisk } from "../disk/index.ts";
import { findBytes, holdsBytes } from "../files/index.ts";
import { journalPlace } from "./place.ts";

/** The line of a record that is in a blob has this. */
const recordElsewhere = /","blob":"[0-9a-f]{32}"/g;

/**
 * @input  pattern bytes that JSON of a record would hold; see `holdsBytes`
 *         elsewhere names further blobs in the journal by their id, its last 32 characters before a quotation mark
 * @output false: neither a record nor one of those blobs can hold it
 * @error  StorageError `unreadable`
 */
export async function journalMayHold(
  directory: string,
  pattern: RegExp,
  { elsewhere = [], disk = nodeDisk }: { elsewhere?: readonly RegExp[]; disk?: Disk } = {},
): Promise<boolean> {
  const { path, blobs } = journalPlace(directory, disk);
  if (await holdsBytes(path, pattern, disk)) return true;
  const ids = new Set<string>();
  for (const each of [recordElsewhere, ...elsewhere]) {
    for await (const match of findBytes(path, each, disk)) ids.add(match.slice(-33, -1));
  }
  for (const id of ids) {
    if ((await blobs.has(id)) && (await holdsBytes(blobs.pathOf(id), pattern, disk))) return true;
  }
  return false;
}
