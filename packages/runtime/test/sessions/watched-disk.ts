// A disk whose every call, on open files too, is numbered and can be made to fail.
import type { Disk, DiskFile } from "@codelia/storage";

/** May throw what the call shall fail with. `path` of an open file is the one that it was opened by. */
export type BeforeCall = (call: number, name: keyof Disk | keyof DiskFile, path: string) => void;

export function watchedDisk(disk: Disk, before: BeforeCall): Disk {
  let calls = 0;
  const watched = async <T>(
    name: keyof Disk | keyof DiskFile,
    path: string,
    action: () => Promise<T>,
  ): Promise<T> => {
    calls += 1;
    before(calls - 1, name, path);
    return await action();
  };
  const watchedFile = (file: DiskFile, path: string): DiskFile => ({
    fd: file.fd,
    stat: () => watched("stat", path, () => file.stat()),
    read: (...args) => watched("read", path, () => file.read(...args)),
    write: (data) => watched("write", path, () => file.write(data)),
    truncate: (length) => watched("truncate", path, () => file.truncate(length)),
    sync: () => watched("sync", path, () => file.sync()),
    chown: (uid, gid) => watched("chown", path, () => file.chown(uid, gid)),
    chmod: (mode) => watched("chmod", path, () => file.chmod(mode)),
    // Not failed: a process that ends closes its files, and a test must not run out of them.
    close: () => file.close(),
  });
  return {
    lstat: (path) => watched("lstat", path, () => disk.lstat(path)),
    readlink: (path) => watched("readlink", path, () => disk.readlink(path)),
    readdir: (path) => watched("readdir", path, () => disk.readdir(path)),
    open: (path, flags, mode) =>
      watched("open", path, async () => watchedFile(await disk.open(path, flags, mode), path)),
    mkdir: (path, mode) => watched("mkdir", path, () => disk.mkdir(path, mode)),
    rmdir: (path) => watched("rmdir", path, () => disk.rmdir(path)),
    link: (existing, added) => watched("link", added, () => disk.link(existing, added)),
    rename: (from, to) => watched("rename", from, () => disk.rename(from, to)),
    unlink: (path) => watched("unlink", path, () => disk.unlink(path)),
  };
}
