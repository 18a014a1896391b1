// Walks a folder as ripgrep does: regular files in the order of their paths, without what is hidden or ignored.
// Links are not followed. Folders that cannot be read are passed over.
import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { IgnoreRules } from "./ignore-rules.ts";

export interface WalkOptions {
  readonly root: string;
  readonly hidden: boolean;
  readonly git: boolean;
  readonly signal: AbortSignal;
}

/** @output paths relative to the root, with slashes */
export async function* walkFiles(options: WalkOptions): AsyncGenerator<string> {
  const root = await realpath(options.root);
  let rules: IgnoreRules | undefined;
  for (const folder of ancestors(root)) rules = await IgnoreRules.load(folder, rules);
  yield* walkFolder(root, "", rules, options);
}

async function* walkFolder(
  folder: string,
  prefix: string,
  above: IgnoreRules | undefined,
  options: WalkOptions,
): AsyncGenerator<string> {
  options.signal.throwIfAborted();
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  if (entries.length === 0) return;
  const rules = await IgnoreRules.load(folder, above);
  entries.sort((a, b) => compareNames(a.name, b.name));
  for (const entry of entries) {
    const isFolder = entry.isDirectory();
    if (!isFolder && !entry.isFile()) continue;
    if (entry.name === ".git" && !options.git) continue;
    const path = join(folder, entry.name);
    const verdict = rules.verdict(path, isFolder);
    if (verdict === "ignored") continue;
    if (verdict === undefined && !options.hidden && entry.name.startsWith(".")) continue;
    if (isFolder) yield* walkFolder(path, `${prefix}${entry.name}/`, rules, options);
    else yield `${prefix}${entry.name}`;
  }
}

/** The folders above `path`, from the file system's root downwards. */
function ancestors(path: string): string[] {
  const folders: string[] = [];
  for (let folder = path; dirname(folder) !== folder; ) {
    folder = dirname(folder);
    folders.unshift(folder);
  }
  return folders;
}

/** By bytes of UTF-8, that is by code points: strings compare by UTF-16 units, which puts 😀 before ﬀ. */
function compareNames(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    if (a.charCodeAt(index) === b.charCodeAt(index)) continue;
    return (a.codePointAt(index) ?? 0) - (b.codePointAt(index) ?? 0);
  }
  return a.length - b.length;
}
