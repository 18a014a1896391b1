// Every file system call that reads or changes the disk, as a port: tests can count, fail or cut short any one.
import type { Dirent, Stats } from "node:fs";

/** An open file or directory. */
export interface DiskFile {
  readonly fd: number;
  stat(): Promise<Stats>;
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  /** One write call, at the end of what was written or, with `appendFlags`, of the file. It may take fewer bytes. */
  write(data: Uint8Array): Promise<{ bytesWritten: number }>;
  truncate(length: number): Promise<void>;
  sync(): Promise<void>;
  chown(uid: number, gid: number): Promise<void>;
  chmod(mode: number): Promise<void>;
  close(): Promise<void>;
}

/** Fails with the system's errors, which carry a `code`. */
export interface Disk {
  lstat(path: string): Promise<Stats>;
  readlink(path: string): Promise<string>;
  readdir(path: string): Promise<Dirent[]>;
  open(path: string, flags: number, mode?: number): Promise<DiskFile>;
  mkdir(path: string, mode?: number): Promise<void>;
  rmdir(path: string): Promise<void>;
  link(existing: string, added: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
}
