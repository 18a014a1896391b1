// Finds the root that AGENTS.md discovery starts from.
import { join, resolve } from "node:path";
import type { AgentsRoot, AgentsSettings, FileStat, FileSystem } from "@codelia/shared-types";
import { errorCode } from "@codelia/shared-types";
import { ancestors, isInside } from "./chain.ts";
import { AgentsError, explainSystemError } from "./error.ts";

export interface RootSearch {
  readonly fs: FileSystem;
  readonly cwd: string;
  readonly settings: AgentsSettings["root"];
  /** The user's home directory. */
  readonly userHome: string;
  /** Codelia's own data directory: never a marker, wherever it lies. */
  readonly codeliaHome: string;
}

/**
 * @input  cwd: absolute, logical (links in it are kept)
 * @output the root and the rule that chose it
 * @effects stats only, nearest directory first; never waits for a directory above the one that decides
 * @error  AgentsError cwd_not_found, root_not_found, root_not_ancestor, root_unreadable
 */
export async function findAgentsRoot(search: RootSearch): Promise<AgentsRoot> {
  await requireDirectory(search.fs, search.cwd);
  const override = search.settings.projectRootOverride;
  if (override !== undefined) return { path: await overriddenRoot(search, override), rule: "override" };
  return findMarkedRoot(search, search.cwd);
}

/** The same search for a directory that need not exist, without the override: for targets outside the root. */
export async function findMarkedRoot(
  search: Omit<RootSearch, "cwd">,
  directory: string,
): Promise<AgentsRoot> {
  const { markers, stopAtFsRoot } = search.settings;
  if (markers.length > 0) {
    for (const ancestor of ancestors(directory)) {
      const isAboveHome = ancestor !== search.userHome && isInside(search.userHome, ancestor);
      if (!stopAtFsRoot && isAboveHome) break;
      const marker = await markerIn(search, ancestor);
      if (marker !== undefined) return { path: ancestor, rule: "marker", marker };
    }
  }
  return { path: directory, rule: "cwd" };
}

async function markerIn(search: Omit<RootSearch, "cwd">, directory: string): Promise<string | undefined> {
  const found = await Promise.all(
    search.settings.markers.map(async (name) =>
      (await isMarker(search, join(directory, name))) ? name : undefined,
    ),
  );
  return found.find((name) => name !== undefined);
}

async function isMarker(search: Omit<RootSearch, "cwd">, path: string): Promise<boolean> {
  const own = [search.codeliaHome, join(search.userHome, ".codelia")];
  if (own.includes(path)) return false;
  const stat = await statMarker(search.fs, path);
  if (stat === undefined) return false;
  if (stat.kind !== "directory") return true;
  const home = await search.fs.stat(search.codeliaHome);
  return home === undefined || !isSameFile(home, stat);
}

async function statMarker(fs: FileSystem, path: string): Promise<FileStat | undefined> {
  try {
    return await fs.stat(path);
  } catch (error) {
    // A link to itself is not there for anybody.
    if (errorCode(error) === "ELOOP") return undefined;
    throw new AgentsError(
      "root_unreadable",
      path,
      `cannot look for the project's root: ${explainSystemError(error)}`,
      "Make the directory readable, or name the root with --root DIR or CODELIA_AGENTS_ROOT.",
      error,
    );
  }
}

async function overriddenRoot({ fs, cwd }: RootSearch, override: string): Promise<string> {
  const root = resolve(cwd, override);
  const stat = await fs.stat(root).catch(() => undefined);
  if (stat?.kind !== "directory") {
    throw new AgentsError(
      "root_not_found",
      root,
      stat === undefined ? "the root override does not exist" : "the root override is not a directory",
      "Correct --root, CODELIA_AGENTS_ROOT or agents.root.projectRootOverride, or remove it to search for a marker.",
    );
  }
  if (isInside(cwd, root)) return root;
  // The override may be spelled through other links than the working directory is.
  for (const ancestor of ancestors(cwd)) {
    const same = await fs.stat(ancestor);
    if (same !== undefined && isSameFile(same, stat)) return ancestor;
  }
  throw new AgentsError(
    "root_not_ancestor",
    root,
    `the root override does not contain the working directory ${cwd}`,
    "Name a directory that contains the working directory, or change to one inside the root.",
  );
}

async function requireDirectory(fs: FileSystem, cwd: string): Promise<void> {
  let stat: FileStat | undefined;
  let cause: unknown;
  try {
    stat = await fs.stat(cwd);
  } catch (error) {
    cause = error;
  }
  if (stat?.kind === "directory") return;
  const problem =
    cause !== undefined
      ? explainSystemError(cause)
      : stat === undefined
        ? "the working directory does not exist"
        : "the working directory is not a directory";
  throw new AgentsError(
    "cwd_not_found",
    cwd,
    problem,
    "Change to an existing directory, or name one with -C DIR.",
    cause,
  );
}

function isSameFile(a: FileStat, b: FileStat): boolean {
  return a.inode === b.inode && a.device === b.device;
}
