// Platform packages of a lockfile, grouped into families: one tool's builds, of which a machine gets one.
// A family is complete when each of our six platforms has a package (on Linux one that runs with glibc).
import { type LockEntry, type Lockfile, resolveEntry } from "./lockfile.ts";

export interface PlatformFamily {
  /** The entry that names the packages in its optionalDependencies. */
  owner: LockEntry;
  /** What its packages are called, for messages. */
  name: string;
  members: readonly LockEntry[];
}

const platforms = ["linux", "darwin", "win32"].flatMap((os) => ["x64", "arm64"].map((cpu) => ({ os, cpu })));

const platformPart =
  /(?:^|[-/.])(?:aix|android|darwin|freebsd|linux|linuxmusl|mac|macos|netbsd|openbsd|openharmony|sunos|win|win32|windows|wasm32)(?=$|[-.])/;

/**
 * A package belongs to a family by `os` or `cpu`, or by a name that says its platform: one whose entry
 * lost both fields must show up as a hole, not drop out of the count.
 *
 * @output one family for each dependency's entry; for our own entries, which name several tools'
 *         packages side by side, one for each beginning of a name
 */
export function platformFamilies(lockfile: Lockfile): PlatformFamily[] {
  const families = new Map<string, { owner: LockEntry; name: string; members: LockEntry[] }>();
  for (const owner of lockfile.entries.values()) {
    for (const dependency of owner.optionalDependencies.keys()) {
      const member = resolveEntry(lockfile, owner.path, dependency);
      if (!member || !isPlatformPackage(member, dependency)) continue;
      const name = isOurs(owner) ? `${beginning(dependency)}*` : packageAt(owner.path);
      const key = `${owner.path} ${name}`;
      const family = families.get(key) ?? { owner, name, members: [] };
      family.members.push(member);
      families.set(key, family);
    }
  }
  return [...families.values()];
}

/** @output the platforms without a package, such as `linux x64` */
export function missingPlatforms({ members }: PlatformFamily): string[] {
  const missing = platforms.filter(({ os, cpu }) => !members.some((member) => runsOn(member, os, cpu)));
  return missing.map(({ os, cpu }) => `${os} ${cpu}`);
}

function isPlatformPackage(entry: LockEntry, name: string): boolean {
  return entry.os.length > 0 || entry.cpu.length > 0 || platformPart.test(name);
}

function isOurs(entry: LockEntry): boolean {
  return !entry.path.includes("node_modules/");
}

function beginning(name: string): string {
  const part = platformPart.exec(name);
  // The separator before the platform belongs to the beginning.
  return part ? name.slice(0, part.index + (/^[-/.]/.test(part[0]) ? 1 : 0)) : name;
}

function packageAt(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

function runsOn(entry: LockEntry, os: string, cpu: string): boolean {
  if (entry.os.length === 0 && entry.cpu.length === 0) return false;
  return admits(entry.os, os) && admits(entry.cpu, cpu) && (os !== "linux" || runsWithGlibc(entry));
}

// npm's reading of these lists: empty admits all, `!x` admits all but x.
function admits(list: readonly string[], value: string): boolean {
  if (list.includes(`!${value}`)) return false;
  return list.includes(value) || list.includes("any") || list.every((item) => item.startsWith("!"));
}

// Not every npm writes `libc`; without it only the name tells.
function runsWithGlibc(entry: LockEntry): boolean {
  return entry.libc.length > 0 ? admits(entry.libc, "glibc") : !entry.path.includes("musl");
}
