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
