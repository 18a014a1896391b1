// Where a search happens: checks the path that the model names, and limits the time.
import { stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { ToolError } from "@codelia/core";
import { visibleName } from "@codelia/shared-types";
import type { ToolEnvironment } from "../environment.ts";
import type { RipgrepLocator } from "./ripgrep-binary.ts";

export interface SearchOptions {
  /** Finds ripgrep; without it the built-in search is used. */
  readonly ripgrep?: RipgrepLocator;
}

export interface SearchPlace {
  /** What the model named: absolute. */
  readonly path: string;
  /** The folder to search. */
  readonly root: string;
  /** The only file to search, as a name in `root`. */
  readonly file: string | undefined;
  /** A path below `root` as the model knows it: relative to the working directory, or absolute outside of it. */
  readonly nameOf: (path: string) => string;
}

const timeLimit = 60_000;

/** @error ToolError when there is no such file or folder */
export async function searchPlace(environment: ToolEnvironment, named = "."): Promise<SearchPlace> {
  if (named.includes("\0")) throw new ToolError("The path has a NUL character: name an existing path.");
  const path = resolve(environment.cwd, named);
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory() && !found?.isFile()) {
    throw new ToolError(`${visibleName(named)} is no file or folder: name an existing path.`);
  }
  const root = found.isFile() ? dirname(path) : path;
  return {
    path,
    root,
    file: found.isFile() ? basename(path) : undefined,
    nameOf: (below) => {
      const inside = relative(environment.cwd, join(root, below));
      const leaves = inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
      return leaves ? join(root, below) : inside;
    },
  };
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
