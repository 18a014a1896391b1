// Paths as the model writes them, and as people are shown them.
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { ToolError } from "@codelia/core";
import { visibleName } from "@codelia/shared-types";

export interface PathOrigin {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * @input  relative to cwd, absolute, or below `~/`
 * @output absolute, logical (links are not looked at), normalised
 * @error  ToolError for what can name no file
 */
export function resolveToolPath(origin: PathOrigin, path: string): string {
  if (path === "") throw new ToolError("The path is empty. Give a file or directory, such as `src/main.ts`.");
  if (path.includes("\0") || !path.isWellFormed()) {
    throw new ToolError(
      `The path ${visibleName(path)} holds a character that no file name can have. Correct it.`,
    );
  }
  if (path !== "~" && !path.startsWith("~/")) return resolve(origin.cwd, path);
  const home = origin.env.HOME;
  if (home === undefined || !isAbsolute(home)) {
    throw new ToolError(
      `HOME is not set, so ${visibleName(path)} means nothing here. Give an absolute path.`,
    );
  }
  return join(resolve(home), path.slice(1));
}

/** As short as it can be said from cwd, on one line, harmless on a terminal. */
export function shownPath(origin: PathOrigin, path: string): string {
  const inside = relative(origin.cwd, path);
  const outside = inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return visibleName(outside ? path : inside || ".");
}
