// The real file system, with a list of what it was asked.
import type { FileSystem } from "@codelia/shared-types";
import { nodeFileSystem } from "@codelia/storage";

export interface Call {
  readonly operation: keyof FileSystem;
  readonly path: string;
}

/** @param refused real path that cannot be opened; mode bits would not stop a test that runs as root */
export function recordingPort(calls: Call[], refused?: string): FileSystem {
  const noted = (operation: keyof FileSystem, path: string): string => {
    calls.push({ operation, path });
    return path;
  };
  return {
    lstat: (path) => nodeFileSystem.lstat(noted("lstat", path)),
    stat: (path) => nodeFileSystem.stat(noted("stat", path)),
    realPath: (path) => nodeFileSystem.realPath(noted("realPath", path)),
    open: async (path) => {
      if (noted("open", path) === refused)
        throw Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: "EACCES" });
      return nodeFileSystem.open(path);
    },
  };
}
