// package-lock.json (version 3) as data: its entries, where each stands, and what a dependency resolves to.
// Fields of another shape than npm writes count as absent, so that the rules see a hole instead of passing.
import { posix } from "node:path";
import { type Position, positionAt } from "./violation.ts";
import { isRecord, parseObject, stringMap } from "./workspace.ts";

export interface LockEntry {
  /** Its path in the tree: "" for the root, `packages/x` for a workspace, else `…node_modules/name`. */
  path: string;
  version: string | undefined;
  resolved: string | undefined;
  integrity: string | undefined;
  link: boolean;
  /** Shipped inside another package's archive, whose integrity covers it. */
  inBundle: boolean;
  hasInstallScript: boolean;
  os: readonly string[];
  cpu: readonly string[];
  libc: readonly string[];
  optionalDependencies: ReadonlyMap<string, string>;
}

export interface Lockfile {
  version: unknown;
  entries: ReadonlyMap<string, LockEntry>;
  positionOf(path: string): Position;
}

/** @error throws when the text is no JSON object */
export function readLockfile(text: string, file: string): Lockfile {
  const { lockfileVersion, packages } = parseObject(text, file);
  const entries = new Map<string, LockEntry>();
  for (const [path, entry] of Object.entries(isRecord(packages) ? packages : {})) {
    entries.set(path, readEntry(path, isRecord(entry) ? entry : {}));
  }
  return {
    version: lockfileVersion,
    entries,
    positionOf: (path) => {
      const start = Math.max(0, text.indexOf('"packages":'));
      return positionAt(text, text.indexOf(`${JSON.stringify(path)}: {`, start));
    },
  };
}

/** @output the entry that `from` gets for a dependency, by Node's search through the folders above it */
export function resolveEntry(lockfile: Lockfile, from: string, name: string): LockEntry | undefined {
  let folder = from;
  for (;;) {
    const entry = lockfile.entries.get(posix.join(folder, "node_modules", name));
    if (entry || folder === "" || folder === ".") return entry;
    folder = posix.dirname(folder);
  }
}

function readEntry(path: string, entry: Record<string, unknown>): LockEntry {
  return {
    path,
    version: stringOf(entry.version),
    resolved: stringOf(entry.resolved),
    integrity: stringOf(entry.integrity),
    link: entry.link === true,
    inBundle: entry.inBundle === true,
    hasInstallScript: entry.hasInstallScript === true,
    os: stringsOf(entry.os),
    cpu: stringsOf(entry.cpu),
    libc: stringsOf(entry.libc),
    optionalDependencies: stringMap(entry.optionalDependencies),
  };
}

function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

// npm copies these lists from the package's own package.json, where a single string is allowed too.
function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
