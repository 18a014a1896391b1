// The real disk: small operations on this thread while that is faster, everything else in the thread pool.
import {
  close,
  closeSync,
  constants,
  fchmod,
  fchmodSync,
  fchown,
  fchownSync,
  promises as fs,
  fstat,
  fstatSync,
  fsync,
  ftruncate,
  linkSync,
  lstatSync,
  mkdirSync,
  open,
  openSync,
  read,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  write,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";
import { DirectWhileFast } from "./direct-while-fast.ts";
import type { Disk, DiskFile } from "./disk.ts";

const pooled = {
  open: promisify(open),
  close: promisify(close),
  stat: promisify<number, Stats>(fstat),
  sync: promisify(fsync),
  truncate: promisify(ftruncate),
  chown: promisify(fchown),
  chmod: promisify(fchmod),
};

/** A disk that is slow to write to may still be fast to read from. */
interface Budgets {
  readonly looking: DirectWhileFast;
  readonly changing: DirectWhileFast;
}

/** A read takes nine small calls, an append one: through the thread pool they would take most of its time. */
export const nodeDisk: Disk = createNodeDisk();

export function createNodeDisk(patienceMs?: number): Disk {
  const budgets = { looking: new DirectWhileFast(patienceMs), changing: new DirectWhileFast(patienceMs) };
  const { looking, changing } = budgets;
  return {
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
    open: async (path, flags, mode) => {
      const fd = await (isForLooking(flags) ? looking : changing).run(
        () => openSync(path, flags, mode),
        () => pooled.open(path, flags, mode),
      );
      return new NodeFile(fd, budgets);
    },
    mkdir: async (path, mode) => {
      await changing.run<unknown>(
        () => mkdirSync(path, mode),
        () => fs.mkdir(path, mode),
      );
    },
    rmdir: (path) =>
      changing.run(
        () => rmdirSync(path),
        () => fs.rmdir(path),
      ),
    link: (existing, added) =>
      changing.run(
        () => linkSync(existing, added),
        () => fs.link(existing, added),
      ),
    rename: (from, to) =>
      changing.run(
        () => renameSync(from, to),
        () => fs.rename(from, to),
      ),
    unlink: (path) =>
      changing.run(
        () => unlinkSync(path),
        () => fs.unlink(path),
      ),
  };
}

function isForLooking(flags: number): boolean {
  return (flags & (constants.O_WRONLY | constants.O_RDWR | constants.O_CREAT)) === 0;
}

/** Reads and writes of this size are over before a thread would have started. */
const directBytes = 256 * 1024;

/**
 * The system gives the number of a closed file to the next one that is opened. So a call on a closed file fails before
 * it reaches the system, and a close waits for the calls under way: neither can hit a file of somebody else.
 */
class NodeFile implements DiskFile {
  readonly fd: number;
  readonly #budgets: Budgets;
  readonly #underWay = new Set<Promise<unknown>>();
  #isOpen = true;

  constructor(fd: number, budgets: Budgets) {
    this.fd = fd;
    this.#budgets = budgets;
  }

  stat(): Promise<Stats> {
    return this.#call(() =>
      this.#budgets.looking.run(
        () => fstatSync(this.fd),
        () => pooled.stat(this.fd),
      ),
    );
  }

  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }> {
    const inPool = () => pooledRead(this.fd, buffer, offset, length, position);
    if (length > directBytes) return this.#call(inPool);
    return this.#call(() =>
      this.#budgets.looking.run(
        () => ({ bytesRead: readSync(this.fd, buffer, offset, length, position) }),
        inPool,
      ),
    );
  }

  write(data: Uint8Array): Promise<{ bytesWritten: number }> {
    const inPool = () => pooledWrite(this.fd, data);
    if (data.length > directBytes) return this.#call(inPool);
    return this.#call(() =>
      this.#budgets.changing.run(() => ({ bytesWritten: writeSync(this.fd, data) }), inPool),
    );
  }

  truncate(length: number): Promise<void> {
    return this.#call(() => pooled.truncate(this.fd, length));
  }

  sync(): Promise<void> {
    return this.#call(() => pooled.sync(this.fd));
  }

  chown(uid: number, gid: number): Promise<void> {
    return this.#call(() =>
      this.#budgets.changing.run(
        () => fchownSync(this.fd, uid, gid),
        () => pooled.chown(this.fd, uid, gid),
      ),
    );
  }

  chmod(mode: number): Promise<void> {
    return this.#call(() =>
      this.#budgets.changing.run(
        () => fchmodSync(this.fd, mode),
        () => pooled.chmod(this.fd, mode),
      ),
    );
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
    await this.#budgets.changing.run(
      () => closeSync(this.fd),
      () => pooled.close(this.fd),
    );
  }

  async #call<T>(action: () => Promise<T>): Promise<T> {
    if (!this.#isOpen) throw Object.assign(new Error("EBADF: the file was closed"), { code: "EBADF" });
    const call = action();
    this.#underWay.add(call);
    try {
      return await call;
    } finally {
      this.#underWay.delete(call);
    }
  }
}

function pooledRead(
  fd: number,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number,
): Promise<{ bytesRead: number }> {
  return new Promise((resolve, reject) => {
    read(fd, buffer, offset, length, position, (error, bytesRead) => {
      if (error) reject(error);
      else resolve({ bytesRead });
    });
  });
}

function pooledWrite(fd: number, data: Uint8Array): Promise<{ bytesWritten: number }> {
  return new Promise((resolve, reject) => {
    write(fd, data, 0, data.length, null, (error, bytesWritten) => {
      if (error) reject(error);
      else resolve({ bytesWritten });
    });
  });
}
