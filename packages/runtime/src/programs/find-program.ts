// Finds the programs that Codelia itself starts. Never one from the workspace, which a repository put there.
import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, sep } from "node:path";

// Before the PATH: what the system brought is preferred to what somebody put in front of it.
const systemFolders = ["/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin"];

export interface ProgramPlaces {
  /** PATH; its empty, relative and workspace entries are passed over. */
  readonly path: string | undefined;
  readonly workspace: string;
}

/** @output the program's real path: a regular file, executable, outside the workspace */
export async function findProgram(name: string, places: ProgramPlaces): Promise<string | undefined> {
  return firstOutside([...systemFolders, ...pathFolders(places.path)], name, places.workspace);
}

/**
 * For programs of the user's own choice: in the order of the PATH, and under the name they are found by, since some are
 * links that go by it.
 */
export async function findOnPath(
  name: string,
  { path, workspace }: ProgramPlaces,
): Promise<string | undefined> {
  const root = await realpath(workspace).catch(() => workspace);
  for (const folder of await foldersOutside(workspace, pathFolders(path))) {
    const found = join(folder, name);
    if ((await executableOutside(root, found)) !== undefined) return found;
  }
  return undefined;
}

/** @output absolute folders of PATH, in order */
export function pathFolders(path: string | undefined): string[] {
  return (path ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
}

/** @output those that do not really lie in the workspace, in order */
export async function foldersOutside(workspace: string, folders: readonly string[]): Promise<string[]> {
  const root = await realpath(workspace).catch(() => workspace);
  const places = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  return folders.filter(
    (_, index) => !`${places[index]}${sep}`.startsWith(root.endsWith(sep) ? root : root + sep),
  );
}

async function firstOutside(
  folders: readonly string[],
  name: string,
  workspace: string,
): Promise<string | undefined> {
  const root = await realpath(workspace).catch(() => workspace);
  for (const folder of folders) {
    const found = await executableOutside(root, join(folder, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @input workspace: real path  @output the real path, if it may be run */
export async function executableOutside(workspace: string, path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    await access(real, constants.X_OK);
    const isFile = (await stat(real)).isFile();
    const isInside = real.startsWith(workspace.endsWith(sep) ? workspace : workspace + sep);
    return isFile && !isInside ? real : undefined;
  } catch {
    return undefined;
  }
}
