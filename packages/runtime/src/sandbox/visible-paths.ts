// Programs that live below a directory which the sandbox covers (the temporary one, /run) have to stay visible.
import { basename, dirname } from "node:path";
import type { FileSystem } from "@codelia/shared-types";
import { isBelow, type PathRule } from "./paths.ts";

/**
 * @input  folders: of the PATH, and of programs that are known to be needed; covered: what is hidden or replaced;
 *         writable: visible anyway
 * @output read-only rules for those folders that lie below a covered one, by real path
 */
export async function visiblePaths(
  fs: FileSystem,
  folders: readonly string[],
  covered: readonly string[],
  writable: readonly string[],
): Promise<PathRule[]> {
  const rules: PathRule[] = [];
  for (const folder of new Set(folders)) {
    const real = await fs.realPath(folder).catch(() => undefined);
    const cover = real === undefined ? undefined : covered.find((path) => isBelow(real, path));
    if (real === undefined || cover === undefined) continue;
    if (writable.some((path) => real === path || isBelow(real, path))) continue;
    // A program's libraries are next to its `bin`.
    const parent = dirname(real);
    const path = basename(real) === "bin" && isBelow(parent, cover) ? parent : real;
    rules.push({ path, access: "read", kind: "directory" });
  }
  return rules;
}
