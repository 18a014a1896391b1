// Where paths really lead, and which of them may be written only by name.
import { isInside } from "@codelia/core";
import type { FileSystem } from "@codelia/shared-types";

export interface FilePath {
  /** Absolute, links kept. */
  readonly logical: string;
  /** Undefined: nobody can tell where it leads. */
  readonly real: string | undefined;
}

export function filePaths(fs: FileSystem, paths: readonly string[]): Promise<FilePath[]> {
  return Promise.all(paths.map(async (path) => ({ logical: path, real: await realPathOf(fs, path) })));
}

/** @output links resolved, also when its last parts do not exist yet; undefined: nobody can tell */
export async function realPathOf(fs: FileSystem, path: string): Promise<string | undefined> {
  const missing: string[] = [];
  let existing = path;
  while (true) {
    const stat = await fs.lstat(existing).catch(() => null);
    // A link to nothing could lead anywhere once it is written through.
    if (
      stat === null ||
      (stat?.kind === "link" && (await fs.realPath(existing).catch(() => undefined)) === undefined)
    )
      return undefined;
    if (stat !== undefined) break;
    const end = existing.lastIndexOf("/");
    if (end < 0) return undefined;
    missing.unshift(existing.slice(end + 1));
    existing = existing.slice(0, end) || "/";
    if (existing === "/") break;
  }
  // Behind a folder that is not there yet.
  if (missing.includes("..")) return undefined;
  const real = await fs.realPath(existing).catch(() => undefined);
  return real === undefined ? undefined : [real === "/" ? "" : real, ...missing].join("/");
}

// Changing these changes what runs or counts next time, so they are never written without asking.
const protectedNames = [".git", ".codelia", ".agents"];

/** @output the protected names on the way to a path; in the workspace, those below its root */
export function protectedNamesIn(realPath: string, workspace: string): string[] {
  const path = isInside(realPath, workspace) ? realPath.slice(workspace.length) : realPath;
  const names = path.split("/").map(folded);
  return protectedNames.filter((name) => names.includes(name));
}

/** As file systems may read it that know no capital letters (macOS, Windows) or pass over invisible characters (HFS+). */
function folded(name: string): string {
  return name.replaceAll(/\p{Cf}/gu, "").toLowerCase();
}
