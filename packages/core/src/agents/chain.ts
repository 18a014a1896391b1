// Paths of a chain: plain strings, no file system.
import { dirname, isAbsolute, relative, sep } from "node:path";

/** True when `path` is `directory` or lies below it. Both absolute and normalised. */
export function isInside(path: string, directory: string): boolean {
  if (path === directory) return true;
  const way = relative(directory, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** `directory` and its parents up to the file system's root, nearest first. */
export function* ancestors(directory: string): Generator<string> {
  let current = directory;
  while (true) {
    yield current;
    const parent = dirname(current);
    if (parent === current) return;
    current = parent;
  }
}

/** The directories from `root` to `directory`, both included, root first. `directory` must be inside `root`. */
export function directoriesBetween(root: string, directory: string): string[] {
  const chain: string[] = [];
  for (const ancestor of ancestors(directory)) {
    chain.push(ancestor);
    if (ancestor === root) break;
  }
  return chain.toReversed();
}
