// What a session's tools made of the files, all prompts together.
import { basename, dirname, join, relative } from "node:path";
import { ToolError } from "@codelia/core";
import { errorCode } from "@codelia/shared-types";
import { type Blobs, type Disk, openBlobs } from "@codelia/storage";
import type { SessionPorts } from "../sessions/index.ts";
import { maxWholeFile, PinnedDirectory, preview, readUpTo, specialKind } from "../tools/index.ts";
import { type ChangedFile, PromptChangesFold } from "./prompt-changes.ts";
import { readInto } from "./undo-prompt.ts";

export interface SessionChanges {
  readonly id: string;
  readonly files: readonly { readonly path: string; readonly diff: string }[];
  readonly commands: readonly string[];
  readonly notices: readonly string[];
}

/**
 * @input  directory: of the session; cwd: diffs name files from here where they lie below it
 * @effects none but reading; takes no lock
 * @error  SessionError; StorageError where an old content is gone
 */
export async function sessionChanges(
  ports: SessionPorts,
  directory: string,
  cwd: string,
): Promise<SessionChanges> {
  const fold = new PromptChangesFold();
  const { id, notices } = await readInto(fold, ports, directory);
  // The first prompt that changed a file knows what it was before the session.
  const changed = new Map<string, ChangedFile>();
  for (const file of fold.prompts.flatMap((prompt) => [...prompt.files.values()])) {
    if (!changed.has(file.path)) changed.set(file.path, file);
  }
  const blobs = openBlobs(join(directory, "blobs"), ports.disk);
  const files: { path: string; diff: string }[] = [];
  for (const { path, before } of changed.values()) {
    const diff = await diffOf(ports.disk, blobs, { path, before }, nameFrom(cwd, path));
    if (diff !== undefined) files.push({ path, diff });
  }
  return { id, files, commands: fold.prompts.flatMap(({ commands }) => commands), notices };
}

function nameFrom(cwd: string, path: string): string {
  const name = relative(cwd, path);
  return name.startsWith("..") ? path : name;
}

/** @output undefined: the file is what it was */
async function diffOf(
  disk: Disk,
  blobs: Blobs,
  { path, before }: Pick<ChangedFile, "path" | "before">,
  name: string,
): Promise<string | undefined> {
  const old = before === undefined ? undefined : textOf(await blobs.read(before.blob));
  const now = await textAt(disk, path);
  return old === now ? undefined : preview(name, old, now);
}

/** @output undefined: no file is there; what cannot be shown as text is said in words */
async function textAt(disk: Disk, path: string): Promise<string | undefined> {
  try {
    await using directory = await PinnedDirectory.pin(disk, dirname(path), path);
    const named = specialKind(await directory.lstat(basename(path)));
    if (named !== undefined) return `(a ${named} is here now)\n`;
    const handle = await directory.openForReading(basename(path));
    try {
      const bytes = await readUpTo(handle, await handle.stat(), maxWholeFile);
      return bytes === undefined ? "(too large to be compared)\n" : textOf(bytes);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof ToolError) return "(behind a link now)\n";
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
