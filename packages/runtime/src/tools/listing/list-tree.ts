// Walks a directory level by level, so that a limit cuts what is deep before what is near.

import type { Dirent } from "node:fs";
import { errorCode } from "@codelia/shared-types";
import { type PinnedDirectory, specialKind } from "../files/index.ts";

const maxEntries = 500;
const collapsedNames: ReadonlySet<string> = new Set([".git", "node_modules"]);

export interface ListedEntry {
  readonly name: string;
  readonly kind: "file" | "directory" | "link" | "special";
  /** Of files. */
  size?: number;
  /** Where a link points, or why an entry is not shown whole. */
  note?: string;
  /** Of directories that were looked into. */
  readonly children: ListedEntry[];
  /** Entries of this directory that the limit left out. */
  left: number;
}

export interface Listing {
  readonly top: ListedEntry;
  readonly left: number;
  /** Entries that deny rules keep from the tool. */
  readonly forbidden: number;
}

export interface ListingOptions {
  readonly depth: number;
  /** Of a path below the top. */
  readonly forbids: ((path: string) => boolean) | undefined;
  readonly signal: AbortSignal;
}

interface Visit {
  readonly entry: ListedEntry;
  readonly names: readonly string[];
}

/** @output at most 500 entries, each directory's sorted by name; `left` counts those of visited directories */
export async function listTree(
  top: PinnedDirectory,
  { depth, forbids, signal }: ListingOptions,
): Promise<Listing> {
  const root: ListedEntry = { name: "", kind: "directory", children: [], left: 0 };
  let [shown, left, forbidden] = [0, 0, 0];
  let level: Visit[] = [{ entry: root, names: [] }];
  for (let at = 0; at < depth; at += 1) {
    const next: Visit[] = [];
    for (const { entry, names } of level) {
      signal.throwIfAborted();
      await inDirectory(top, names, entry, async (directory) => {
        const entries = await directory.entries();
        const found = entries
          .filter(({ name }) => !forbids?.([...names, name].join("/")))
          .toSorted((a, b) => (a.name < b.name ? -1 : 1));
        forbidden += entries.length - found.length;
        const taken = found.slice(0, maxEntries - shown);
        shown += taken.length;
        entry.left = found.length - taken.length;
        left += entry.left;
        for (const each of taken) {
          const child = await describe(directory, each);
          entry.children.push(child);
          if (child.kind === "directory" && child.note === undefined) {
            next.push({ entry: child, names: [...names, child.name] });
          }
        }
      });
    }
    level = next;
  }
  return { top: root, left, forbidden };
}

/** Goes down from the top, each step without following links; what cannot be read is said at its entry. */
async function inDirectory(
  top: PinnedDirectory,
  names: readonly string[],
  entry: ListedEntry,
  use: (directory: PinnedDirectory) => Promise<void>,
): Promise<void> {
  const opened: PinnedDirectory[] = [];
  try {
    let directory = top;
    for (const name of names) {
      directory = await directory.enter(name, name);
      opened.push(directory);
    }
    await use(directory);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined || names.length === 0) throw error;
    entry.note = code === "EACCES" ? "cannot be read: permission denied" : `cannot be read: ${code}`;
  } finally {
    for (const directory of opened) await directory[Symbol.asyncDispose]();
  }
}

async function describe(directory: PinnedDirectory, { name }: Dirent): Promise<ListedEntry> {
  const entry = (kind: ListedEntry["kind"], more: Pick<ListedEntry, "size" | "note"> = {}): ListedEntry => ({
    name,
    kind,
    ...more,
    children: [],
    left: 0,
  });
  try {
    const stats = await directory.lstat(name);
    if (stats.isSymbolicLink()) return entry("link", { note: await directory.readlink(name) });
    if (stats.isFile()) return entry("file", { size: stats.size });
    if (!stats.isDirectory()) return entry("special", { note: specialKind(stats) ?? "special file" });
    return entry("directory", collapsedNames.has(name) ? { note: "not listed" } : {});
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return entry("special", { note: code === "ENOENT" ? "just removed" : `cannot be looked at: ${code}` });
  }
}
