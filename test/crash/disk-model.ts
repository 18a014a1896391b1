// What a disk holds, twice: as programs see it now, and as it would be after a power cut.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";

/** Path below the top → content; "directory" for one. */
export type DiskState = ReadonlyMap<string, Uint8Array | "directory">;

/** Which form of a thing is meant: what programs see, or what was flushed. */
type Form = "current" | "flushed";

export class FileNode {
  current: Uint8Array = new Uint8Array(0);
  flushed: Uint8Array = new Uint8Array(0);
}

export class DirectoryNode {
  current: ReadonlyMap<string, Node> = new Map();
  flushed: ReadonlyMap<string, Node> = new Map();
}

export type Node = FileNode | DirectoryNode;

/** Follows the calls that are made to the disk below one directory. A flush makes a content, or a directory's names, last. */
export class DiskModel {
  readonly #top: string;
  readonly #root: DirectoryNode;

  /** Starts from what is there; all of it counts as flushed. */
  constructor(top: string) {
    this.#top = top;
    this.#root = readDirectory(top);
  }

  /** Undefined for what is not there, or lies outside. */
  at(path: string): Node | undefined {
    const names = relative(this.#top, path).split(sep);
    if (names[0] === "..") return undefined;
    let node: Node | undefined = this.#root;
    for (const name of names) {
      if (name !== "") node = node instanceof DirectoryNode ? node.current.get(name) : undefined;
    }
    return node;
  }

  name(path: string, node: Node): void {
    this.#changeNames(path, (names) => names.set(basename(path), node));
  }

  unname(path: string): void {
    this.#changeNames(path, (names) => names.delete(basename(path)));
  }

  /** A file that somebody else wrote; the worst case is that all of it lasts. */
  writtenByOthers(path: string, content: Uint8Array): void {
    const parent = this.at(dirname(path));
    if (!(parent instanceof DirectoryNode)) return;
    const node = new FileNode();
    node.current = content;
    node.flushed = content;
    this.name(path, node);
    parent.flushed = new Map(parent.flushed).set(basename(path), node);
  }

  state(names: Form, contents: Form): DiskState {
    const state = new Map<string, Uint8Array | "directory">();
    collect(this.#root, "", names, contents, state);
    return state;
  }

  #changeNames(path: string, change: (names: Map<string, Node>) => void): void {
    const parent = this.at(dirname(path));
    if (!(parent instanceof DirectoryNode)) return;
    const names = new Map(parent.current);
    change(names);
    parent.current = names;
  }
}

/** @effects on the model only */
export function flushNode(node: Node): void {
  if (node instanceof FileNode) node.flushed = node.current;
  else node.flushed = node.current;
}

function collect(
  directory: DirectoryNode,
  path: string,
  names: Form,
  contents: Form,
  state: Map<string, Uint8Array | "directory">,
): void {
  for (const [name, node] of directory[names]) {
    const at = join(path, name);
    state.set(at, node instanceof FileNode ? node[contents] : "directory");
    if (node instanceof DirectoryNode) collect(node, at, names, contents, state);
  }
}

function readDirectory(path: string): DirectoryNode {
  const directory = new DirectoryNode();
  const names = new Map<string, Node>();
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const at = join(path, entry.name);
    if (entry.isDirectory()) names.set(entry.name, readDirectory(at));
    else if (entry.isFile()) names.set(entry.name, readFile(at));
  }
  directory.current = names;
  directory.flushed = names;
  return directory;
}

function readFile(path: string): FileNode {
  const file = new FileNode();
  file.current = readFileSync(path);
  file.flushed = file.current;
  return file;
}
