// The files that come with a skill, without leaving its real directory: links are listed nowhere and followed nowhere.
import type { PinnedDirectory } from "../tools/index.ts";

export interface FileListLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
  readonly maxDirectories: number;
  readonly maxDepth: number;
}

export interface FileList {
  /** Below the directory, with `/` between names, by code unit. */
  readonly files: readonly string[];
  readonly truncated: boolean;
}

/** Folders that hold what tools made, not what the skill's author wrote. */
const neverInside = new Set(["node_modules", "__pycache__"]);

/** @error the system's, for the directory itself; what is below and cannot be listed is left out and marked */
export async function listFiles(
  top: PinnedDirectory,
  leftOut: string,
  limits: FileListLimits,
): Promise<FileList> {
  const files: string[] = [];
  let [bytes, directories, truncated] = [0, 0, false];

  async function list(directory: PinnedDirectory, below: string, depth: number): Promise<void> {
    directories += 1;
    const entries = (await directory.entries()).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (truncated) return;
      const name = `${below}${entry.name}`;
      if (entry.name.startsWith(".") || neverInside.has(entry.name) || name === leftOut) continue;
      if (entry.isFile()) {
        bytes += Buffer.byteLength(name);
        truncated = files.length >= limits.maxFiles || bytes > limits.maxBytes;
        if (!truncated) files.push(name);
      } else if (entry.isDirectory()) {
        if (depth >= limits.maxDepth || directories >= limits.maxDirectories) truncated = true;
        else await enter(directory, entry.name, name, depth);
      }
    }
  }

  async function enter(
    directory: PinnedDirectory,
    name: string,
    below: string,
    depth: number,
  ): Promise<void> {
    try {
      await using inner = await directory.enter(name, below);
      await list(inner, `${below}/`, depth + 1);
    } catch {
      // It went away, became a link or may not be read: the rest of the list still helps.
      truncated = true;
    }
  }

  await list(top, "", 1);
  return { files: files.toSorted((a, b) => (a < b ? -1 : 1)), truncated };
}
