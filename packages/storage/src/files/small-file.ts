// Reads a small text file whole, or says that it is too large.
import type { FileSystem } from "@codelia/shared-types";

export type SmallFile =
  | { readonly outcome: "text"; readonly text: string }
  | { readonly outcome: "absent" | "not_a_file" | "too_large" };

/** UTF-8 without byte order mark; invalid bytes become U+FFFD. */
export async function readSmallFile(fs: FileSystem, path: string, maxBytes: number): Promise<SmallFile> {
  const file = await fs.open(path);
  if (file === undefined) return { outcome: "absent" };
  try {
    if (file.stat.kind !== "file") return { outcome: "not_a_file" };
    const bytes = await file.read(0, maxBytes + 1);
    if (bytes.length > maxBytes) return { outcome: "too_large" };
    return { outcome: "text", text: new TextDecoder().decode(bytes) };
  } finally {
    await file.close();
  }
}

/**
 * As `readSmallFile`, for a file that must be readable where it is there.
 *
 * @output undefined when the file does not exist
 * @error  what `fail` makes of the reason, in words
 */
export async function readTextFile(
  fs: FileSystem,
  path: string,
  maxBytes: number,
  fail: (reason: string, cause?: unknown) => Error,
): Promise<string | undefined> {
  const file = await readSmallFile(fs, path, maxBytes).catch((error: unknown) => {
    throw fail(`cannot read this file: ${error instanceof Error ? error.message : String(error)}`, error);
  });
  switch (file.outcome) {
    case "absent":
      return undefined;
    case "not_a_file":
      throw fail("expected a regular file");
    case "too_large":
      throw fail(`expected at most ${maxBytes} bytes`);
    case "text":
      return file.text;
  }
}
