// The real file system behind a port that records calls and can block or fail one of them.
import type { FileSystem } from "@codelia/shared-types";
import { nodeFileSystem } from "@codelia/storage";

export type Operation = "lstat" | "stat" | "realPath" | "list" | "open";

export interface Call {
  readonly operation: Operation;
  readonly path: string;
}

export interface Watched {
  readonly fs: FileSystem;
  readonly calls: Call[];
}

/** `interfere` runs before each call: it may throw, or return a promise that delays or never settles. */
export function watchedFileSystem(
  interfere: (call: Call) => Promise<void> | undefined = () => undefined,
): Watched {
  const calls: Call[] = [];
  async function watch<T>(operation: Operation, path: string, act: () => Promise<T>): Promise<T> {
    const call = { operation, path };
    calls.push(call);
    await interfere(call);
    return act();
  }
  return {
    calls,
    fs: {
      lstat: (path) => watch("lstat", path, () => nodeFileSystem.lstat(path)),
      stat: (path) => watch("stat", path, () => nodeFileSystem.stat(path)),
      realPath: (path) => watch("realPath", path, () => nodeFileSystem.realPath(path)),
      list: (path) => watch("list", path, () => nodeFileSystem.list(path)),
      open: (path) => watch("open", path, () => nodeFileSystem.open(path)),
    },
  };
}

/** An error as the system raises it. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: made by a test`), { code });
}
