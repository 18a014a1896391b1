// The file system calls that the file tools make, as a port: tests can fail any one of them.
import {
  closeSync,
  constants,
  type Dirent,
  promises as fs,
  fstatSync,
  fsync,
  lstatSync,
  openSync,
  read,
  readlinkSync,
  readSync,
  type Stats,
} from "node:fs";
import { DirectWhileFast } from "@codelia/storage";

/** An open file, as far as the tools use one. */
export interface DiskFile {
  readonly fd: number;
  stat(): Promise<Stats>;
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  writeFile(data: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  chown(uid: number, gid: number): Promise<void>;
  chmod(mode: number): Promise<void>;
  close(): Promise<void>;
}

export interface Disk {
  lstat(path: string): Promise<Stats>;
  readlink(path: string): Promise<string>;
  readdir(path: string): Promise<Dirent[]>;
  open(path: string, flags: number, mode?: number): Promise<DiskFile>;
  mkdir(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
  link(existing: string, added: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
}

// A read takes nine small calls; through the thread pool they would take most of its time.
const looking = new DirectWhileFast();

export const nodeDisk: Disk = {
  lstat: (path) =>
    looking.run(
      () => lstatSync(path),
      () => fs.lstat(path),
    ),
  readlink: (path) =>
    looking.run(
      () => readlinkSync(path),
      () => fs.readlink(path),
    ),
  readdir: (path) => fs.readdir(path, { withFileTypes: true }),
  open: (path, flags, mode) =>
    isForLooking(flags)
      ? looking.run<DiskFile>(
          () => new DirectFile(openSync(path, flags)),
          () => fs.open(path, flags),
        )
      : fs.open(path, flags, mode),
  mkdir: (path) => fs.mkdir(path),
  rmdir: (path) => fs.rmdir(path),
  link: (existing, added) => fs.link(existing, added),
  rename: (from, to) => fs.rename(from, to),
  unlink: (path) => fs.unlink(path),
};

function isForLooking(flags: number): boolean {
  return (flags & (constants.O_WRONLY | constants.O_RDWR | constants.O_CREAT)) === 0;
}

/** Reads of this size are over before a thread would have started. */
const directReadBytes = 256 * 1024;

/** A file or directory that was opened to be looked at. */
class DirectFile implements DiskFile {
  readonly fd: number;

  constructor(fd: number) {
    this.fd = fd;
  }

  async stat(): Promise<Stats> {
    return fstatSync(this.fd);
  }

  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }> {
    if (length > directReadBytes) return this.#pooledRead(buffer, offset, length, position);
    return looking.run(
      () => ({ bytesRead: readSync(this.fd, buffer, offset, length, position) }),
      () => this.#pooledRead(buffer, offset, length, position),
    );
  }

  #pooledRead(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }> {
    return new Promise((resolve, reject) => {
      read(this.fd, buffer, offset, length, position, (error, bytesRead) => {
        if (error) reject(error);
        else resolve({ bytesRead });
      });
    });
  }

  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fsync(this.fd, (error) => (error ? reject(error) : resolve()));
    });
  }

  writeFile(): Promise<never> {
    return onlyForLooking();
  }

  chown(): Promise<never> {
    return onlyForLooking();
  }

  chmod(): Promise<never> {
    return onlyForLooking();
  }

  async close(): Promise<void> {
    closeSync(this.fd);
  }
}

function onlyForLooking(): Promise<never> {
  return Promise.reject(new Error("this file was opened to be looked at, not to be changed"));
}

const noFollow = constants.O_NOFOLLOW ?? 0;

/** O_NONBLOCK: a FIFO that took the file's place does not hold the open; its kind is looked at afterwards. */
export const readFlags =
  constants.O_RDONLY | noFollow | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

export const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow;

// Node names no O_PATH; with it a directory that may be entered but not listed can be pinned too.
const pathOnly = process.platform === "linux" ? 0o10000000 : 0;

export const pinFlags = constants.O_RDONLY | noFollow | (constants.O_DIRECTORY ?? 0) | pathOnly;

export const directoryFlags = constants.O_RDONLY | noFollow | (constants.O_DIRECTORY ?? 0);
