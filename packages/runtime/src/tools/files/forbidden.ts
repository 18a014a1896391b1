// What deny rules keep from a tool, seen from the directory that it looks through.
import { join } from "node:path";
import type { ForbiddenFiles } from "../../permissions/index.ts";

/**
 * @input  directory as it was named, and where it really is: a rule may be about either
 * @output of a path below the directory; undefined: nothing is forbidden
 */
export function forbiddenBelow(
  forbidden: ForbiddenFiles | undefined,
  { path, real }: { readonly path: string; readonly real: string },
): ((below: string) => boolean) | undefined {
  return forbidden && ((below) => forbidden(join(path, below)) || forbidden(join(real, below)));
}

/** The line that says so. */
export function leftOutByRules(count: number): string {
  return `[${count} left out: deny rules forbid ${count === 1 ? "it" : "them"}]`;
}
