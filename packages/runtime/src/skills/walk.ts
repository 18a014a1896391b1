// Finds the SKILL.md files below one root: level by level, names in code unit order, so that the same tree always
// gives the same skills. A directory that is known and unchanged is not listed again.
import type { Stats } from "node:fs";
import { explainSystemError, isInside } from "@codelia/core";
import { errorCode, type SkillLoadError, visibleName } from "@codelia/shared-types";
import { type DirectoryEntry, kindOf, type SkillDisk } from "./disk.ts";
import type { KnownDirectory, KnownRoot, OtherChild, SkillRow } from "./known.ts";
import { matches, type Stamp, stampOf } from "./stamp.ts";
import type { SkillRoot } from "./types.ts";

export const skillFileName = "SKILL.md";
export const maxDepth = 6;
export const maxDirectories = 20_000;

/** A SKILL.md that was found. */
export interface Found {
  readonly dirName: string;
  readonly dir: string;
  /** Without links. */
  readonly realDir: string;
  /** The directory is a link. */
  readonly isLink: boolean;
  /** What is known of it, when the file is the one that is known. */
  readonly row: SkillRow | undefined;
  /** What SKILL.md is. */
  readonly kind: DirectoryEntry["kind"];
  /** Path below the root of the directory that it is a row of. */
  readonly parent: string;
}

export interface RootWalk {
  /** Real path of what links must stay inside. */
  readonly boundary: string | undefined;
  readonly found: readonly Found[];
  readonly errors: readonly SkillLoadError[];
  readonly truncated: boolean;
  /** Directories without a SKILL.md, by path below the root, with all their children. */
  readonly directories: ReadonlyMap<string, ListedDirectory>;
}

export interface ListedDirectory {
  readonly stamp: Stamp;
  readonly children: readonly OtherChild[];
}

export interface WalkOptions {
  readonly disk: SkillDisk;
  readonly root: SkillRoot;
  readonly known: KnownRoot;
  readonly now: number;
  readonly maxDirectories?: number;
}

/** A directory to visit. */
interface Place extends OtherChild {
  /** Path below the root. */
  readonly below: string;
  readonly parent: string;
  /** Real path of the directory it is in. */
  readonly realParent: string;
  readonly row: SkillRow | undefined;
}

/** @error none: what the system refuses is in `errors` */
export function walkRoot(options: WalkOptions): RootWalk {
  return new Walk(options).run();
}

class Walk {
  readonly #options: WalkOptions;
  readonly #found: Found[] = [];
  readonly #errors: SkillLoadError[] = [];
  readonly #directories = new Map<string, ListedDirectory>();
  readonly #visited = new Set<string>();
  #boundary: string | undefined;
  #truncated = false;

  constructor(options: WalkOptions) {
    this.#options = options;
  }

  run(): RootWalk {
    const { disk, root } = this.#options;
    const real = this.#realRoot();
    if (real !== undefined) {
      this.#boundary = root.boundary === undefined ? undefined : realOr(disk, root.boundary);
      if (this.#leaves(real)) this.#fail(root.path, ...outside(this.#boundary));
      else this.#walk(real);
    }
    return {
      boundary: this.#boundary,
      found: this.#found,
      errors: this.#errors,
      truncated: this.#truncated,
      directories: this.#directories,
    };
  }

  /** Undefined when there is no such directory. */
  #realRoot(): string | undefined {
    const { disk, root } = this.#options;
    try {
      return disk.realPath(root.path);
    } catch (error) {
      const code = errorCode(error);
      if (code !== "ENOENT" && code !== "ENOTDIR")
        this.#fail(root.path, explainSystemError(error), "make it readable");
      else if (kindAt(disk, root.path) === "link") this.#fail(root.path, ...nowhere);
      return undefined;
    }
  }

  #walk(real: string): void {
    const { root, maxDirectories: most = maxDirectories } = this.#options;
    // A root is no skill, or one stray file would hide all others.
    if (kindAt(this.#options.disk, `${root.path}/${skillFileName}`) !== "none") {
      const fix = "put it into a folder that has the skill's name";
      this.#fail(
        `${root.path}/${skillFileName}`,
        "lies directly in the folder of skills and is not used",
        fix,
      );
    }
    let level = this.#visit("", root.path, real);
    let count = 1;
    for (let depth = 1; level.length > 0; depth += 1) {
      if (depth > maxDepth) {
        this.#tooDeep(level);
        return;
      }
      const next: Place[] = [];
      for (const place of level) {
        if (count >= most) {
          this.#limit(`has more than ${most.toLocaleString("en")} directories; the rest was not searched`);
          return;
        }
        count += 1;
        for (const each of this.#enter(place)) next.push(each);
      }
      level = next;
    }
  }

  #tooDeep(level: readonly Place[]): void {
    const first = level.find(({ isLink }) => !isLink);
    if (first === undefined) return;
    const where = `for example ${visibleName(first.below)}`;
    this.#limit(`has directories more than ${maxDepth} levels down, which were not searched, ${where}`);
  }

  /** A skill's own directory ends the search there. @output the directories to visit next */
  #enter({ below, name: dirName, isLink, parent, realParent, row }: Place): Place[] {
    const dir = `${this.#options.root.path}/${below}`;
    const realDir = isLink ? this.#follow(dir) : `${realParent}/${dirName}`;
    if (realDir === undefined) return [];
    const file = this.#skillFile(dir);
    if (file === "failed") return [];
    if (file === undefined) return this.#visit(below, dir, realDir);
    const isKnown = row !== undefined && file.isFile() && matches(row.stamp, file);
    const kind = kindOf(file);
    this.#found.push({ dirName, dir, realDir, isLink, row: isKnown ? row : undefined, kind, parent });
    return [];
  }

  /** What SKILL.md in a directory is; undefined when there is none. Much cheaper than to list the directory. */
  #skillFile(dir: string): Stats | "failed" | undefined {
    try {
      return this.#options.disk.lstatIfAny(`${dir}/${skillFileName}`);
    } catch (error) {
      this.#fail(dir, explainSystemError(error), "make it a directory that can be read");
      return "failed";
    }
  }

  /** A directory that is no skill's own. Each real one counts once, which ends every circle of links. */
  #visit(below: string, dir: string, realDir: string): Place[] {
    if (this.#visited.has(realDir)) return [];
    this.#visited.add(realDir);
    const before = this.#options.known.get(below);
    const listing = this.#list(dir, before);
    if (listing === undefined) return [];
    this.#directories.set(below, listing);
    const rows = new Map(before?.rows.map((row) => [row.dirName, row]));
    return listing.children.map(({ name, isLink }) => {
      const row = rows.get(name);
      return {
        name,
        isLink,
        below: below === "" ? name : `${below}/${name}`,
        parent: below,
        realParent: realDir,
        row: row?.isLink === isLink ? row : undefined,
      };
    });
  }

  #list(dir: string, before: KnownDirectory | undefined): ListedDirectory | undefined {
    const { disk, now } = this.#options;
    try {
      // Before listing: what changes in between then shows as a change at the next look.
      const stats = disk.stat(dir);
      if (before !== undefined && matches(before.stamp, stats)) {
        return { stamp: before.stamp, children: childrenOf(before) };
      }
      return { stamp: stampOf(stats, now), children: this.#leading(dir, disk.readdir(dir)) };
    } catch (error) {
      if (errorCode(error) !== "ENOENT")
        this.#fail(dir, explainSystemError(error), "make it a directory that can be read");
      return undefined;
    }
  }

  /** The entries that may lead to skills, by name. */
  #leading(dir: string, entries: readonly DirectoryEntry[]): OtherChild[] {
    const leading: OtherChild[] = [];
    for (const { name, kind } of entries) {
      if (kind === "file" || name.startsWith(".") || name === "node_modules" || name === skillFileName)
        continue;
      // Some file systems do not tell the kind with the name.
      const sure = kind === "other" ? kindAt(this.#options.disk, `${dir}/${name}`) : kind;
      if (sure === "directory" || sure === "link") leading.push({ name, isLink: sure === "link" });
    }
    return leading.toSorted(byName);
  }

  /** Where a link to a directory leads; undefined for what is no way to skills. */
  #follow(path: string): string | undefined {
    const { disk } = this.#options;
    try {
      if (!disk.stat(path).isDirectory()) return undefined;
      const real = disk.realPath(path);
      if (!this.#leaves(real)) return real;
      this.#fail(path, ...outside(this.#boundary));
    } catch (error) {
      if (errorCode(error) === "ENOENT") this.#fail(path, ...nowhere);
      else this.#fail(path, explainSystemError(error), "remove the link, or make what it leads to readable");
    }
    return undefined;
  }

  #leaves(real: string): boolean {
    return this.#boundary !== undefined && !isInside(real, this.#boundary);
  }

  #limit(message: string): void {
    this.#truncated = true;
    this.#fail(this.#options.root.path, message, "move skills up, and what is no skill elsewhere");
  }

  #fail(path: string, message: string, fix: string): void {
    this.#errors.push({ path, message, fix });
  }
}

const nowhere: [string, string] = [
  "is a link that leads nowhere",
  "remove the link, or restore what it led to",
];

export function outside(boundary: string | undefined): [message: string, fix: string] {
  const project = boundary === undefined ? "the project" : visibleName(boundary);
  return [
    `is a link that leads out of ${project}`,
    "copy what it leads to into the project, or put it into ~/.agents/skills",
  ];
}

function childrenOf({ others, rows }: KnownDirectory): OtherChild[] {
  const skills = rows.map(({ dirName, isLink }) => ({ name: dirName, isLink }));
  return others.length === 0 ? skills : [...others, ...skills].toSorted(byName);
}

function byName(a: OtherChild, b: OtherChild): number {
  return a.name < b.name ? -1 : 1;
}

function kindAt(disk: SkillDisk, path: string): DirectoryEntry["kind"] | "none" {
  try {
    const stats = disk.lstatIfAny(path);
    return stats === undefined ? "none" : kindOf(stats);
  } catch {
    return "none";
  }
}

function realOr(disk: SkillDisk, path: string): string {
  try {
    return disk.realPath(path);
  } catch {
    return path;
  }
}
