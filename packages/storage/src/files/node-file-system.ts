// Reading from the real file system: absence is a value, links and special files are told apart.
import { constants, promises as fs, lstatSync, type Stats, statSync } from "node:fs";
import { errorCode, type FileStat, type FileSystem, type OpenFile } from "@codelia/shared-types";
import { DirectWhileFast } from "../disk/index.ts";

type DirectStat = (path: string, options: { throwIfNoEntry: false }) => Stats | undefined;

/** Stats taken on this thread. */
export interface DirectStats {
  readonly lstat: DirectStat;
  readonly stat: DirectStat;
}

// O_NONBLOCK: opening a FIFO returns at once, so that its kind can be looked at.
const openFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

export const nodeFileSystem: FileSystem = createNodeFileSystem();

export function createNodeFileSystem(take: DirectStats = { lstat: lstatSync, stat: statSync }): FileSystem {
  const operations = new DirectWhileFast();
  const look = (path: string, direct: DirectStat, pooled: (path: string) => Promise<Stats>) =>
    absentAsValue(async () => {
      const stats = await operations.run(
        () => direct(path, { throwIfNoEntry: false }),
        () => pooled(path),
      );
      return stats === undefined ? undefined : fileStat(stats);
    });
  return {
    lstat: (path) => look(path, take.lstat, (each) => fs.lstat(each)),
    stat: (path) => look(path, take.stat, (each) => fs.stat(each)),
    realPath: (path) => absentAsValue(() => fs.realpath(path)),
    list: (path) =>
      absentAsValue(async () =>
        (await fs.readdir(path, { withFileTypes: true })).map((entry) => ({
          name: entry.name,
          kind: kindOf(entry),
        })),
      ),
    open: (path) => absentAsValue(() => openFile(path)),
  };
}

async function openFile(path: string): Promise<OpenFile> {
  const handle = await fs.open(path, openFlags);
  try {
    return {
      stat: fileStat(await handle.stat()),
      read: (position, length) => readFully(handle, position, length),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readFully(handle: fs.FileHandle, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

function fileStat(stats: Stats): FileStat {
  return {
    kind: kindOf(stats),
    sizeBytes: stats.size,
    // Times before 1970 are rare and never a version of their own.
    mtimeMs: Math.max(0, stats.mtimeMs),
    ctimeMs: Math.max(0, stats.ctimeMs),
    inode: stats.ino,
    device: stats.dev,
  };
}

function kindOf(stats: Pick<Stats, "isSymbolicLink" | "isFile" | "isDirectory">): FileStat["kind"] {
  if (stats.isSymbolicLink()) return "link";
  if (stats.isFile()) return "file";
  return stats.isDirectory() ? "directory" : "other";
}

async function absentAsValue<T>(action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

function isAbsence(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}
