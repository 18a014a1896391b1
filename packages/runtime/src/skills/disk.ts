// The file system calls of this room, as a port: direct ones, because thousands of small looks are made at a start.
import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { readFlags } from "@codelia/storage";

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: "file" | "directory" | "link" | "other";
}

/** Fails with the system's errors, which carry a `code`. */
export interface SkillDisk {
  /** Entries in any order. */
  readdir(path: string): DirectoryEntry[];
  lstat(path: string): Stats;
  /** Undefined when there is nothing. */
  lstatIfAny(path: string): Stats | undefined;
  stat(path: string): Stats;
  realPath(path: string): string;
  /** Opens for reading, not through a link at the end; never waits for a FIFO's other end. */
  open(path: string): number;
  fstat(fd: number): Stats;
  read(fd: number, buffer: Uint8Array, position: number): number;
  close(fd: number): void;
}

export const nodeSkillDisk: SkillDisk = {
  readdir: (path) =>
    readdirSync(path, { withFileTypes: true }).map((entry) => ({ name: entry.name, kind: kindOf(entry) })),
  lstat: (path) => lstatSync(path),
  lstatIfAny: (path) => lstatSync(path, { throwIfNoEntry: false }),
  stat: (path) => statSync(path),
  realPath: (path) => realpathSync.native(path),
  open: (path) => openSync(path, readFlags),
  fstat: (fd) => fstatSync(fd),
  read: (fd, buffer, position) => readSync(fd, buffer, 0, buffer.length, position),
  close: (fd) => closeSync(fd),
};

/** What a directory entry or a stat is. */
export function kindOf(of: Pick<Stats, "isFile" | "isDirectory" | "isSymbolicLink">): DirectoryEntry["kind"] {
  if (of.isDirectory()) return "directory";
  if (of.isFile()) return "file";
  return of.isSymbolicLink() ? "link" : "other";
}
