// Writes a change into the user's own config.json, which may also be open in an editor or wanted by another process.
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { FileSystem } from "@codelia/shared-types";
import { acquireLock, type Disk, lockedError, writeFileAtomic } from "@codelia/storage";
import { ConfigError } from "../error.ts";
import { type HomeOptions, userConfigFiles } from "../home.ts";
import { layerOfText, maxConfigBytes } from "../layers/index.ts";
import type { ConfigEdit } from "./config-edit.ts";

export interface EditedConfig {
  /** The file that holds the setting, or would. */
  readonly file: string;
  /** false: it was so already, and nothing was written. */
  readonly changed: boolean;
}

export interface ConfigPlace {
  readonly fs: FileSystem;
  readonly disk: Disk;
}

const lockName = "config-lock";
// Another writer is done in milliseconds; one that is not within twenty seconds hangs.
const lockAttempts = 400;
const lockPauseMs = 50;

/**
 * Changes the user's file that is in force; where there is none, ~/.codelia/config.json.
 * @effects and @error as below
 */
export async function editUserConfig(
  place: ConfigPlace & HomeOptions,
  edits: readonly ConfigEdit[],
): Promise<EditedConfig> {
  return await editConfigFile(place, await fileInForce(place), edits);
}

/**
 * @input  edits: in order
 * @effects writes the file, 0600, at once and only when something changes; what the edits are not about keeps its
 *          bytes. A link stays, and its target is written. Writers of ours wait for each other
 * @error  ConfigError: the file is not valid, or would not be afterwards; StorageError
 */
export async function editConfigFile(
  place: ConfigPlace,
  file: string,
  edits: readonly ConfigEdit[],
): Promise<EditedConfig> {
  await refuseDanglingLink(place.fs, file);
  const { before, after } = await edited(place.fs, file, edits);
  if (before === after) return { file, changed: false };
  const target = (await place.fs.realPath(file)) ?? file;
  const changed = await locked(place.disk, dirname(target), () => rewrite(place, file, target, edits));
  return { file, changed };
}

async function rewrite(
  { fs, disk }: ConfigPlace,
  file: string,
  target: string,
  edits: readonly ConfigEdit[],
): Promise<boolean> {
  // Once more, now that no other writer can come between.
  const { before, after } = await edited(fs, file, edits);
  if (before !== after) await writeFileAtomic(target, after, disk);
  return before !== after;
}

async function edited(
  fs: FileSystem,
  file: string,
  edits: readonly ConfigEdit[],
): Promise<{ before: string; after: string }> {
  const { editJson } = await import("./json-edit.ts");
  const before = await readText(fs, file);
  const mark = before?.startsWith("\ufeff") ? "\ufeff" : "";
  const text = before?.slice(mark.length) ?? "{}\n";
  await layerOfText(file, "user", text);
  const changed = edits.reduce(editJson, text);
  await layerOfText(file, "user", changed);
  // A file that is not there is not made for a change that changes nothing.
  return changed === text ? { before: text, after: text } : { before: before ?? "", after: mark + changed };
}

async function fileInForce({ fs, env, userHome }: ConfigPlace & HomeOptions): Promise<string> {
  const files = userConfigFiles({ env, userHome });
  for (const file of files) {
    if ((await fs.lstat(file)) !== undefined) return file;
  }
  return files.at(-1) ?? "";
}

async function refuseDanglingLink(fs: FileSystem, file: string): Promise<void> {
  const isLink = (await fs.lstat(file))?.kind === "link";
  if (!isLink || (await fs.stat(file).catch(() => undefined)) !== undefined) return;
  throw problem(file, "this is a link to nothing; make its target, or remove the link");
}

/** Unlike a reader of settings, a writer must not turn bytes that it does not understand into others. */
async function readText(fs: FileSystem, file: string): Promise<string | undefined> {
  const open = await fs.open(file).catch((error: unknown) => {
    throw problem(file, `cannot read this file: ${error instanceof Error ? error.message : String(error)}`);
  });
  if (open === undefined) return undefined;
  try {
    if (open.stat.kind !== "file") throw problem(file, "expected a regular file");
    const bytes = await open.read(0, maxConfigBytes + 1);
    if (bytes.length > maxConfigBytes) throw problem(file, `expected at most ${maxConfigBytes} bytes`);
    return decoded(file, bytes);
  } finally {
    await open.close();
  }
}

function decoded(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw problem(file, "this file is not UTF-8, so it is not changed; save it as UTF-8", cause);
  }
}

function problem(name: string, message: string, cause?: unknown): ConfigError {
  return new ConfigError([{ name, key: "", message }], { cause });
}

async function locked<T>(disk: Disk, directory: string, action: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const lock = await acquireLock(directory, { name: lockName, disk });
    if (lock.held) {
      try {
        return await action();
      } finally {
        await lock.release();
      }
    }
    if (attempt === lockAttempts) throw lockedError(directory, lock);
    await pause(lockPauseMs);
  }
}
