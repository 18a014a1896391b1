// Puts a random tree on disk. What cannot be made (a name that is taken, a parent that is a file) is left
// out: the oracle looks at what is there, not at what was wanted.
import { spawnSync } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import type { AgentsSettings } from "@codelia/shared-types";
import type { Content, DirectorySpec, EntrySpec, TreeSpec } from "./random-tree.ts";

export interface Tree {
  readonly cwd: string;
  readonly userHome: string;
  readonly codeliaHome: string;
  readonly settings: AgentsSettings;
  /** Logical paths of directories, some of them through links. */
  readonly directories: readonly string[];
  /** Paths of regular files, some of them through links. */
  readonly files: readonly string[];
}

/** Counted back from the last one, wrapping around. */
export function back<T>(list: readonly T[], index: number): T {
  const item = list[list.length - 1 - (index % list.length)];
  if (item === undefined) throw new Error("nothing to choose from");
  return item;
}

export async function withTree<T>(spec: TreeSpec, use: (tree: Tree) => Promise<T>): Promise<T> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "codelia-tree-")));
  try {
    return await use(build(base, spec));
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function build(base: string, spec: TreeSpec): Tree {
  const userHome = join(base, "home");
  const codeliaHome = join(base, spec.codeliaHome);
  const directories = [base, join(base, "outside"), userHome, codeliaHome, join(base, "work")];
  for (const path of directories) mkdirSync(path, { recursive: true });
  if (spec.marker !== undefined) mkdirSync(join(base, "work", spec.marker), { recursive: true });
  for (const each of spec.directories) {
    const path = join(back(directories, each.parent), each.name);
    if (attempt(() => makeDirectory(path, each, directories))) directories.push(path);
  }
  for (let level = 0; level < spec.depth; level += 1) {
    const path = join(back(directories, 0), "d");
    if (attempt(() => mkdirSync(path))) directories.push(path);
  }
  const made: string[] = [];
  for (const each of spec.entries) {
    const path = join(back(directories, each.at), each.name);
    if (attempt(() => makeEntry(path, each, made, directories))) made.push(path);
  }
  const cwd = back(directories, spec.cwd);
  return {
    cwd,
    userHome,
    codeliaHome,
    settings: settingsIn(base, cwd, spec),
    directories,
    files: made.filter(isRegularFile),
  };
}

function settingsIn(base: string, cwd: string, { rootOverride, settings }: TreeSpec): AgentsSettings {
  if (rootOverride === undefined) return settings;
  const ancestors = [cwd];
  for (let path = cwd; path !== base; path = dirname(path)) ancestors.push(dirname(path));
  return { ...settings, root: { ...settings.root, projectRootOverride: back(ancestors, rootOverride) } };
}

function makeDirectory(path: string, spec: DirectorySpec, directories: readonly string[]): void {
  if (spec.linkTo === undefined) mkdirSync(path);
  else makeLink(path, back(directories, spec.linkTo), spec.absolute);
  // The system follows only so many links in one path.
  statSync(path);
}

function makeEntry(
  path: string,
  { body }: EntrySpec,
  made: readonly string[],
  directories: readonly string[],
): void {
  if (body.type === "text") writeFileSync(path, bytesOf(body.content), { flag: "wx" });
  else if (body.type === "directory") mkdirSync(path);
  else if (body.type === "fifo") spawnSync("mkfifo", [path]);
  else if (body.type === "hardlink") linkSync(back(made, body.file), path);
  else {
    const ends = {
      file: () => back(made, body.index),
      directory: () => back(directories, body.index),
      itself: () => path,
      nothing: () => join(dirname(path), "nowhere"),
      below_file: () => join(back(made, body.index), "nowhere"),
    };
    makeLink(path, ends[body.to](), body.absolute);
  }
}

function makeLink(path: string, end: string, absolute: boolean): void {
  symlinkSync(absolute ? end : relative(realpathSync(dirname(path)), end), path);
}

function bytesOf({ bom, pieces, repeat }: Content): Uint8Array {
  const once = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
  const marked = Buffer.from(bom ? [0xef, 0xbb, 0xbf] : []);
  return Buffer.concat([marked, ...Array.from({ length: repeat }, () => once)]);
}

function attempt(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

function isRegularFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
