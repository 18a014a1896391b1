// A change of a file as the journal keeps it: the old content whole, the new one by its hash.
import { createHash } from "node:crypto";
import type { FileChangeRecord } from "@codelia/shared-types";
import type { IntendedChange } from "../tools/index.ts";

/** @effects the old content is on disk when this returns */
export async function recordedChange(
  { path, before, after }: IntendedChange,
  keepContent: (content: Uint8Array) => Promise<string>,
): Promise<FileChangeRecord> {
  return {
    path,
    ...(before === undefined
      ? {}
      : { before: { ...contentOf(before.bytes), mode: before.mode, blob: await keepContent(before.bytes) } }),
    ...(after === undefined ? {} : { after: contentOf(after) }),
  };
}

function contentOf(bytes: Uint8Array): { sha256: string; bytes: number } {
  return { sha256: createHash("sha256").update(bytes).digest("hex"), bytes: bytes.length };
}
