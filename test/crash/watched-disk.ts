// The real disk behind a port that hands every call to the test before it is made: to look, to fail it, to end there.
import { constants } from "node:fs";
import { normalize } from "node:path";
import { type Disk, type DiskFile, nodeDisk } from "@codelia/storage";

export interface DiskCall {
  readonly kind: keyof Disk | Exclude<keyof DiskFile, "fd">;
  /** Changes what is on the disk, or what of it lasts. */
  readonly isChange: boolean;
  /** Paths through an open directory are resolved. */
  readonly path: string;
  /** The other name, for `rename` and `link`. */
  readonly to?: string;
  /** For `write`. */
  readonly data?: Uint8Array;
  /** For `write`: makes it with half of the data. */
  readonly writeHalf?: () => Promise<unknown>;
  /** For `truncate`. */
  readonly length?: number;
}

/** @input make: makes the call; whoever does not call it leaves it out */
export type AroundCall = <T>(call: DiskCall, make: () => Promise<T>) => Promise<T>;

/** Flushes are told but not made: a test that ends no machine can do without, and they take most of the time. */
export function watchedDisk(around: AroundCall): Disk {
  const opened = new Map<number, string>();
  const real = (path: string) =>
    normalize(path.replace(/^\/proc\/self\/fd\/(\d+)(?=\/)/, (whole, fd) => opened.get(Number(fd)) ?? whole));
  const look = <T>(kind: DiskCall["kind"], path: string, make: () => Promise<T>) =>
    around({ kind, isChange: false, path: real(path) }, make);
  const change = <T>(
    kind: DiskCall["kind"],
    path: string,
    make: () => Promise<T>,
    rest: Partial<DiskCall> = {},
  ) => around({ kind, isChange: true, path: real(path), ...rest }, make);
  return {
    lstat: (path) => look("lstat", path, () => nodeDisk.lstat(path)),
    readlink: (path) => look("readlink", path, () => nodeDisk.readlink(path)),
    readdir: (path) => look("readdir", path, () => nodeDisk.readdir(path)),
    mkdir: (path, mode) => change("mkdir", path, () => nodeDisk.mkdir(path, mode)),
    rmdir: (path) => change("rmdir", path, () => nodeDisk.rmdir(path)),
    link: (path, to) => change("link", path, () => nodeDisk.link(path, to), { to: real(to) }),
    rename: (path, to) => change("rename", path, () => nodeDisk.rename(path, to), { to: real(to) }),
    unlink: (path) => change("unlink", path, () => nodeDisk.unlink(path)),
    async open(path, flags, mode) {
      const isChange = (flags & constants.O_CREAT) !== 0;
      const at = real(path);
      const file = await around({ kind: "open", isChange, path: at }, () => nodeDisk.open(path, flags, mode));
      opened.set(file.fd, at);
      return watchedFile(file, at, around, () => opened.delete(file.fd));
    },
  };
}

function watchedFile(file: DiskFile, path: string, around: AroundCall, onClose: () => void): DiskFile {
  const isChange = true;
  return {
    fd: file.fd,
    stat: () => around({ kind: "stat", isChange: false, path }, () => file.stat()),
    read: (buffer, offset, length, position) =>
      around({ kind: "read", isChange: false, path }, () => file.read(buffer, offset, length, position)),
    write: (data) => {
      const writeHalf = () => file.write(data.subarray(0, Math.ceil(data.length / 2)));
      return around({ kind: "write", isChange, path, data, writeHalf }, () => file.write(data));
    },
    truncate: (length) => around({ kind: "truncate", isChange, path, length }, () => file.truncate(length)),
    sync: () => around({ kind: "sync", isChange, path }, () => Promise.resolve()),
    chown: (uid, gid) => around({ kind: "chown", isChange, path }, () => file.chown(uid, gid)),
    chmod: (mode) => around({ kind: "chmod", isChange, path }, () => file.chmod(mode)),
    // Never watched: the system closes what a process leaves open.
    close: () => {
      onClose();
      return file.close();
    },
  };
}
