// Files in memory behind the FileSystem port: fast enough for thousands of definitions.
import { basename, dirname } from "node:path";
import type { FileStat, FileSystem } from "@codelia/shared-types";

function stat(kind: FileStat["kind"], sizeBytes: number): FileStat {
  return { kind, sizeBytes, mtimeMs: 0, ctimeMs: 0, inode: 1, device: 1 };
}

/** @input files: absolute path → content; their directories exist */
export function memoryFiles(files: Readonly<Record<string, string>>): FileSystem {
  const encoder = new TextEncoder();
  const contents = new Map(Object.entries(files).map(([path, text]) => [path, encoder.encode(text)]));
  const directories = new Set(["/"]);
  for (const path of contents.keys()) {
    for (let at = dirname(path); at !== "/"; at = dirname(at)) directories.add(at);
  }
  const look = async (path: string): Promise<FileStat | undefined> => {
    const content = contents.get(path);
    if (content !== undefined) return stat("file", content.length);
    return directories.has(path) ? stat("directory", 0) : undefined;
  };
  return {
    lstat: look,
    stat: look,
    realPath: async (path) => ((await look(path)) === undefined ? undefined : path),
    list: async (path) => {
      const names = [...contents.keys(), ...directories].filter(
        (one) => one !== "/" && dirname(one) === path,
      );
      if (!directories.has(path)) return undefined;
      return names.map((one) => ({ name: basename(one), kind: contents.has(one) ? "file" : "directory" }));
    },
    open: async (path) => {
      const found = await look(path);
      const content = contents.get(path) ?? new Uint8Array();
      if (found === undefined) return undefined;
      return {
        stat: found,
        read: async (position, length) => content.subarray(position, position + length),
        close: async () => undefined,
      };
    },
  };
}
