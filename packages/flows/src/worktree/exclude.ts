// `.worktrees/` is nobody's to commit: git is told so in the repository's own list, not in a file of the project.
import { join } from "node:path";
import type { FileSystem } from "@codelia/shared-types";
import { appendFlags, type Disk, makeDirectory, quietly, readSmallFile, writeAll } from "@codelia/storage";
import { worktreesFolder } from "./names.ts";

const pattern = `/${worktreesFolder}/`;
const maxBytes = 1024 * 1024;

/** @effects appends one line to `info/exclude`, once */
export async function excludeWorktrees(
  { fs, disk }: { readonly fs: FileSystem; readonly disk: Disk },
  gitDirectory: string,
): Promise<void> {
  const path = join(gitDirectory, "info", "exclude");
  const file = await readSmallFile(fs, path, maxBytes);
  const text = file.outcome === "text" ? file.text : "";
  if (file.outcome === "too_large" || text.split(/\r?\n/).includes(pattern)) return;
  await makeDirectory(disk, join(gitDirectory, "info"));
  // One write at the end of the file: of two processes both may add the line, and none loses another's.
  const target = await disk.open(path, appendFlags, 0o644);
  try {
    const separator = text === "" || text.endsWith("\n") ? "" : "\n";
    await writeAll(target, new TextEncoder().encode(`${separator}${pattern}\n`));
  } finally {
    await quietly(() => target.close());
  }
}
