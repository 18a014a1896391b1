// Finds sessions on disk. There is no index: folders and journals are all there is, so nothing can disagree.
import { basename, join } from "node:path";
import { errorCode, visibleName } from "@codelia/shared-types";
import { type Disk, storageError } from "@codelia/storage";
import { SessionError } from "./error.ts";
import { isSessionId, repositoryFolder, sessionsFolder } from "./places.ts";

export interface FoundSession {
  readonly id: string;
  readonly directory: string;
  /** Of the last record. */
  readonly updatedAt: Date;
}

export interface SessionScope {
  readonly codeliaHome: string;
  /** Absent: the sessions of all repositories. */
  readonly repository?: string | undefined;
}

/** @output all sessions in the scope, the last used first */
export async function findSessions(
  disk: Disk,
  { codeliaHome, repository }: SessionScope,
): Promise<FoundSession[]> {
  const folders = await foldersIn(disk, { codeliaHome, repository });
  return await journalsIn(disk, folders);
}

/** @output every journal one level below these folders whose name is an id, the last used first */
export async function journalsIn(disk: Disk, folders: readonly string[]): Promise<FoundSession[]> {
  const found = (await Promise.all(folders.map((folder) => sessionsIn(disk, folder)))).flat();
  return found.toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime() || (a.id < b.id ? 1 : -1));
}

async function foldersIn(disk: Disk, { codeliaHome, repository }: SessionScope): Promise<string[]> {
  if (repository !== undefined) return [repositoryFolder(codeliaHome, repository)];
  const all = sessionsFolder(codeliaHome);
  return (await names(disk, all)).map((name) => join(all, name));
}

/** All at once: a disk that is slow to answer is asked for many at a time. */
async function sessionsIn(disk: Disk, folder: string): Promise<FoundSession[]> {
  const looks = (await names(disk, folder)).filter(isSessionId).map((id) => sessionAt(disk, folder, id));
  return (await Promise.all(looks)).flat();
}

async function sessionAt(disk: Disk, folder: string, id: string): Promise<FoundSession[]> {
  const directory = join(folder, id);
  const stats = await disk.lstat(join(directory, "journal.jsonl")).catch(() => undefined);
  // A folder without a journal is one that was just being made.
  return stats?.isFile() ? [{ id, directory, updatedAt: stats.mtime }] : [];
}

/**
 * @input  text: an id, or the beginning or end of one
 * @output the session, of this repository before others
 * @error  SessionError not_found, ambiguous
 */
export async function findSession(
  disk: Disk,
  codeliaHome: string,
  repository: string,
  text: string,
): Promise<FoundSession> {
  for (const scope of [{ codeliaHome, repository }, { codeliaHome }]) {
    const matches = await matching(disk, scope, text);
    const [first] = matches;
    if (first !== undefined && (first.id === text || matches.length === 1)) return first;
    if (matches.length > 1) {
      throw new SessionError(
        "ambiguous",
        `${visibleName(text)}: more than one session has this in its id: ${matches
          .slice(0, 5)
          .map(({ id }) => id)
          .join(", ")}`,
        "Give more of the id.",
      );
    }
  }
  throw new SessionError(
    "not_found",
    `${visibleName(text)}: there is no such session`,
    "See: codelia sessions list --all",
  );
}

/** A whole id is looked for by its name, without a look at all others. */
async function matching(disk: Disk, scope: SessionScope, text: string): Promise<FoundSession[]> {
  if (isSessionId(text)) {
    const folders = await foldersIn(disk, scope);
    return (await Promise.all(folders.map((folder) => sessionAt(disk, folder, text)))).flat();
  }
  const all = text === "" ? [] : await findSessions(disk, scope);
  return all.filter(({ id }) => id.startsWith(text) || id.endsWith(text));
}

/** @error StorageError: sessions that cannot be seen must not look like none */
async function names(disk: Disk, folder: string): Promise<string[]> {
  try {
    const entries = await disk.readdir(folder);
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => basename(name));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return [];
    throw storageError("unreadable", folder, error);
  }
}
