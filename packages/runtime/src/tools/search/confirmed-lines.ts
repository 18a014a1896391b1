// Looks again at what an engine found: engines open files by their paths, and a folder on the way could have been
// swapped for a link out of the workspace while they did. Nothing is shown that the file itself does not say.
import { type PinnedDirectory, readUpTo } from "../files/index.ts";
import { decodeSearched } from "./decode.ts";
import { type FoundLine, maxFileSize } from "./lines.ts";

/**
 * @input  top: the folder that was searched; path: below it, with slashes
 * @output whether the file, opened without following any link, has these lines
 */
export async function hasLines(
  top: PinnedDirectory,
  path: string,
  lines: readonly Pick<FoundLine, "number" | "text">[],
): Promise<boolean> {
  const content = await contentBelow(top, path.split("/"), path).catch(() => undefined);
  if (content === undefined) return false;
  const text = decodeSearched(content).replace(/^\uFEFF/, "");
  let number = 1;
  let start = 0;
  for (const line of lines) {
    for (; number < line.number; number += 1) {
      const feed = text.indexOf("\n", start);
      if (feed < 0) return false;
      start = feed + 1;
    }
    if (!text.startsWith(line.text.replace(/^\uFEFF/, ""), start)) return false;
  }
  return true;
}

async function contentBelow(
  folder: PinnedDirectory,
  [name = "", ...below]: readonly string[],
  path: string,
): Promise<Uint8Array | undefined> {
  if (below.length > 0) {
    await using inner = await folder.enter(name, path);
    return await contentBelow(inner, below, path);
  }
  const file = await folder.openForReading(name);
  try {
    const stats = await file.stat();
    return stats.isFile() ? await readUpTo(file, stats, maxFileSize) : undefined;
  } finally {
    await file.close();
  }
}
