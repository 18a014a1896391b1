// Where a search happens: checks the path that the model names, and limits the time.
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { ToolError } from "@codelia/core";
import { visibleName } from "@codelia/shared-types";
import { nodeDisk } from "@codelia/storage";
import type { ToolEnvironment } from "../environment.ts";
import { explaining, forbiddenBelow, type Location, locate, PinnedDirectory } from "../files/index.ts";
import { maxFileSize } from "./lines.ts";
import type { RipgrepLocator } from "./ripgrep-binary.ts";

export interface SearchOptions {
  /** Finds ripgrep; without it the built-in search is used. */
  readonly ripgrep?: RipgrepLocator;
}

export interface SearchPlace {
  /** What the model named, and where that really is. */
  readonly location: Location;
  /** The folder to search, as the model named it. */
  readonly root: string;
  /** The same folder without links: what is searched. */
  readonly realRoot: string;
  /** The only file to search, as a name in `realRoot`. */
  readonly file: string | undefined;
  /** The file says that it is empty. Those of /proc do, and to read some of them is to wait. */
  readonly isEmpty: boolean;
  /** Of a path below `root`: whether a deny rule keeps it from the tool. Of a single file that was decided before. */
  readonly forbids: ((path: string) => boolean) | undefined;
  /** A path below `root` as the model knows it: relative to the working directory, or absolute outside of it. */
  readonly nameOf: (path: string) => string;
}

const timeLimit = 60_000;

/** @error ToolError when there is no such file or folder */
export async function searchPlace(
  environment: ToolEnvironment,
  tool: string,
  named = ".",
): Promise<SearchPlace> {
  const location = await locate(nodeDisk, environment, named);
  const found = await nodeDisk.lstat(location.real).catch(() => undefined);
  if (!found?.isDirectory() && !found?.isFile()) {
    throw new ToolError(`${visibleName(named)} is no file or folder: name an existing path.`);
  }
  if (found.size > maxFileSize && found.isFile()) {
    throw new ToolError(
      `${location.shown} is larger than ${maxFileSize / 1024 / 1024} MiB: search it with bash instead.`,
    );
  }
  const { path, real } = location;
  const root = found.isFile() ? dirname(path) : path;
  const file = found.isFile() ? basename(real) : undefined;
  return {
    location,
    root,
    realRoot: found.isFile() ? dirname(real) : real,
    file,
    forbids: file === undefined ? forbiddenBelow(environment.forbiddenFiles(tool), location) : undefined,
    isEmpty: found.isFile() && found.size === 0,
    nameOf: (below) => {
      // A file that was named through a link is called by the link's name.
      const called = file === undefined ? join(root, below) : path;
      const inside = relative(environment.cwd, called);
      const leaves = inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
      return leaves ? called : inside;
    },
  };
}

/** Holds the folder that permission was given for. @error ToolError when something else is there by now */
export function pinned(realRoot: string, shown: string): Promise<PinnedDirectory> {
  return explaining(shown, () => PinnedDirectory.pin(nodeDisk, realRoot, shown));
}

/** @error ToolError when the time is up; the signal's reason when the call is aborted */
export async function withTimeLimit(
  signal: AbortSignal,
  search: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const limit = AbortSignal.timeout(timeLimit);
  try {
    await search(AbortSignal.any([signal, limit]));
  } catch (error) {
    if (!limit.aborted || signal.aborted) throw error;
    throw new ToolError(
      `The search was stopped after ${timeLimit / 1_000} s: name a smaller path or a narrower glob.`,
    );
  }
}
