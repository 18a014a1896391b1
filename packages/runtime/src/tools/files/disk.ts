// The file system calls that the file tools make, as a port: tests can fail any one of them.
import { constants, type Dirent, promises as fs, type Stats } from "node:fs";

export interface Disk {
  lstat(path: string): Promise<Stats>;
  readlink(path: string): Promise<string>;
  readdir(path: string): Promise<Dirent[]>;
  open(path: string, flags: number, mode?: number): Promise<fs.FileHandle>;
  mkdir(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
  link(existing: string, added: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
}

export const nodeDisk: Disk = {
  lstat: (path) => fs.lstat(path),
  readlink: (path) => fs.readlink(path),
  readdir: (path) => fs.readdir(path, { withFileTypes: true }),
  open: (path, flags, mode) => fs.open(path, flags, mode),
  mkdir: (path) => fs.mkdir(path),
  rmdir: (path) => fs.rmdir(path),
  link: (existing, added) => fs.link(existing, added),
  rename: (from, to) => fs.rename(from, to),
  unlink: (path) => fs.unlink(path),
};

const noFollow = constants.O_NOFOLLOW ?? 0;

/** O_NONBLOCK: a FIFO that took the file's place does not hold the open; its kind is looked at afterwards. */
export const readFlags =
  constants.O_RDONLY | noFollow | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

export const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow;

// Node names no O_PATH; with it a directory that may be entered but not listed can be pinned too.
const pathOnly = process.platform === "linux" ? 0o10000000 : 0;

export const pinFlags = constants.O_RDONLY | noFollow | (constants.O_DIRECTORY ?? 0) | pathOnly;

export const directoryFlags = constants.O_RDONLY | noFollow | (constants.O_DIRECTORY ?? 0);

/** The code of a system error, `ENOENT` for example; undefined for anything else. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
