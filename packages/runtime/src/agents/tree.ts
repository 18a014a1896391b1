// Walks a whole project for a person who wants to see which directory inherits what.
import type { Dirent } from "node:fs";
import { promises as nodeFs } from "node:fs";
import { dirname, join } from "node:path";
import { candidateNames, chooseWinner, explainSystemError, probeDirectory } from "@codelia/core";
import type { AgentsFileKind, AgentsSkip, FileSystem } from "@codelia/shared-types";

export interface TreeDirectory {
  readonly path: string;
  readonly file: string;
  readonly kind: AgentsFileKind;
  readonly ownBytes: number;
  readonly inheritedBytes: number;
}

export interface AgentsTree {
  /** Parents before children, siblings by name. */
  readonly directories: TreeDirectory[];
  readonly skipped: AgentsSkip[];
  readonly visitedDirectories: number;
  readonly truncated: boolean;
}

export interface TreeOptions {
  readonly fs: FileSystem;
  readonly root: string;
  readonly fallbackFilenames: readonly string[];
  readonly maxDirectories?: number;
}

const neverInside = new Set([".git", ".jj", ".hg", ".svn", "node_modules"]);
const walkers = 16;

/** @effects lists directories below the root, without following links to directories; opens no file */
export async function walkAgentsTree(options: TreeOptions): Promise<AgentsTree> {
  const { fs, root, maxDirectories = 200_000 } = options;
  const names = candidateNames(options.fallbackFilenames);
  const wanted = new Set(names.map(({ name }) => name));
  const realRoot = (await fs.realPath(root)) ?? root;
  const found = new Map<string, Omit<TreeDirectory, "inheritedBytes">>();
  const skipped: AgentsSkip[] = [];
  const queue = [root];
  let visited = 0;

  async function visit(directory: string): Promise<void> {
    let entries: Dirent[];
    try {
      entries = await nodeFs.readdir(directory, { withFileTypes: true });
    } catch (error) {
      skipped.push({ path: directory, reason: "unreadable", detail: explainSystemError(error) });
      return;
    }
    for (const entry of entries) {
      if (entry.isDirectory() && !neverInside.has(entry.name)) queue.push(join(directory, entry.name));
    }
    if (!entries.some((entry) => wanted.has(entry.name))) return;
    const choice = await chooseWinner(fs, await probeDirectory(fs, directory, names), realRoot);
    skipped.push(...choice.skipped);
    if (choice.winner === undefined || choice.winner.candidate.stat.sizeBytes === 0) return;
    const { path, kind, stat } = choice.winner.candidate;
    found.set(directory, { path: directory, file: path, kind, ownBytes: stat.sizeBytes });
  }

  while (queue.length > 0 && visited < maxDirectories) {
    const batch = queue.splice(0, Math.min(walkers, maxDirectories - visited));
    visited += batch.length;
    await Promise.all(batch.map(visit));
  }
  return {
    directories: withInheritance(found, root),
    skipped: skipped.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    visitedDirectories: visited,
    truncated: queue.length > 0,
  };
}

function withInheritance(
  found: ReadonlyMap<string, Omit<TreeDirectory, "inheritedBytes">>,
  root: string,
): TreeDirectory[] {
  const inherited = new Map<string, number>();
  const sorted = [...found.values()].toSorted((a, b) => (parentFirst(a.path) < parentFirst(b.path) ? -1 : 1));
  return sorted.map((directory) => {
    let above = directory.path;
    while (above !== root && !inherited.has(above)) above = dirname(above);
    const inheritedBytes = (inherited.get(above) ?? 0) + directory.ownBytes;
    inherited.set(directory.path, inheritedBytes);
    return { ...directory, inheritedBytes };
  });
}

// A separator that sorts before every character keeps children right behind their parent.
function parentFirst(path: string): string {
  return path.replaceAll("/", "\0");
}
