// The catalog of a start with thousands of known skills: looking at every file would take longer than everything else.
// All directories are looked at, so no skill is missed; of the files only those whose skills the catalog lists.
import { isInside } from "@codelia/core";
import type { SkillsSettings } from "@codelia/shared-types";
import type { SkillDisk } from "./disk.ts";
import type { IndexedDirectory } from "./index-file.ts";
import { metadataOf } from "./inventory.ts";
import { renderCatalog } from "./render-catalog.ts";
import { matches } from "./stamp.ts";
import type { CatalogText, ResolvedSkill, SkillRoot } from "./types.ts";
import { skillFileName } from "./walk.ts";

/** Up to here every file is looked at: it takes some milliseconds. */
export const fewFiles = 4000;

export interface GlanceOptions {
  readonly disk: SkillDisk;
  readonly roots: readonly SkillRoot[];
  readonly settings: SkillsSettings;
  readonly indexOf: (root: SkillRoot) => ReadonlyMap<string, IndexedDirectory>;
  readonly isDisabled: (resolved: ResolvedSkill) => boolean;
  /** With more known skills than this a glance is enough. */
  readonly above: number;
}

/** A skill in the index. */
interface Known {
  readonly name: string;
  readonly directory: IndexedDirectory;
  readonly at: number;
  readonly root: SkillRoot;
  /** The directory that it is a row of. */
  readonly parent: string;
  readonly realParent: string;
}

/** @output undefined when everything has to be looked at: few skills, links, or something has changed */
export function glance({
  disk,
  roots,
  settings,
  indexOf,
  isDisabled,
  above,
}: GlanceOptions): CatalogText | undefined {
  const indexes = roots.map((root) => indexOf(root));
  if (countRows(indexes) <= above) return undefined;
  const known: Known[] = [];
  const reals: string[] = [];
  try {
    for (const [index, root] of roots.entries()) {
      const directories = indexes[index] ?? new Map<string, IndexedDirectory>();
      if (directories.size === 0) {
        if (exists(disk, root.path)) return undefined;
        continue;
      }
      const real = disk.realPath(root.path);
      if (root.boundary !== undefined && !isInside(real, disk.realPath(root.boundary))) return undefined;
      // Roots within each other hold the same skills.
      if (reals.some((other) => isInside(real, other) || isInside(other, real))) return undefined;
      reals.push(real);
      const inRoot = unchanged(disk, root, real, directories);
      if (inRoot === undefined) return undefined;
      for (const each of inRoot) known.push(each);
    }
    return listFirst(disk, ordered(known), settings, isDisabled);
  } catch {
    // The system refuses something that was there: looking at everything tells what.
    return undefined;
  }
}

function unchanged(
  disk: SkillDisk,
  root: SkillRoot,
  real: string,
  directories: ReadonlyMap<string, IndexedDirectory>,
): Known[] | undefined {
  const known: Known[] = [];
  for (const [below, directory] of directories) {
    const { columns, others, stamp } = directory;
    const [dir, realDir] = below === "" ? [root.path, real] : [`${root.path}/${below}`, `${real}/${below}`];
    if (columns.hasLinks || others.some(({ isLink }) => isLink)) return undefined;
    if (!matches(stamp, disk.stat(dir))) return undefined;
    for (const [at, name] of columns.dirNames.entries()) {
      if (columns.isValid(at)) {
        known.push({ name, directory, at, root, parent: dir, realParent: realDir });
      } else if (!columns.matches(at, disk.lstat(`${dir}/${name}/${skillFileName}`))) {
        // What was not valid may be by now.
        return undefined;
      }
    }
  }
  return known;
}

function listFirst(
  disk: SkillDisk,
  known: readonly Known[],
  settings: SkillsSettings,
  isDisabled: (resolved: ResolvedSkill) => boolean,
): CatalogText | undefined {
  const listed: ResolvedSkill["skill"][] = [];
  const { maxEntries } = settings.initial;
  let total = settings.disabled.length === 0 ? known.length : 0;
  for (const each of known) {
    if (settings.disabled.length === 0 && listed.length >= maxEntries) break;
    const resolved = resolvedFrom(each);
    if (isDisabled(resolved)) continue;
    if (settings.disabled.length > 0) total += 1;
    if (listed.length >= maxEntries) continue;
    if (!each.directory.columns.matches(each.at, disk.lstat(resolved.skill.path))) return undefined;
    listed.push(resolved.skill);
  }
  return renderCatalog(listed, settings.initial, total);
}

function resolvedFrom({ name, directory, at, root, parent, realParent }: Known): ResolvedSkill {
  const [dir, realDir] = [`${parent}/${name}`, `${realParent}/${name}`];
  const { id, said } = directory.columns.row(at);
  if (!said.ok) throw new Error("only valid skills are in order");
  return { skill: metadataOf(dir, id, said, root), realPath: `${realDir}/${skillFileName}`, realDir };
}

/** As skills are ordered everywhere; without links a skill has its directory's name. */
function inOrder(a: Known, b: Known): number {
  if (a.root.scope !== b.root.scope) return a.root.scope === "repo" ? -1 : 1;
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return `${a.parent}/` < `${b.parent}/` ? -1 : 1;
}

/** Rows of one directory are in order already, and most skills lie in one. */
function ordered(known: readonly Known[]): readonly Known[] {
  for (let at = 1; at < known.length; at += 1) {
    const [one, other] = [known[at - 1], known[at]];
    if (one !== undefined && other !== undefined && inOrder(one, other) > 0) return known.toSorted(inOrder);
  }
  return known;
}

function countRows(indexes: readonly ReadonlyMap<string, IndexedDirectory>[]): number {
  let count = 0;
  for (const directories of indexes)
    for (const { columns } of directories.values()) count += columns.dirNames.length;
  return count;
}

function exists(disk: SkillDisk, path: string): boolean {
  try {
    disk.lstat(path);
    return true;
  } catch {
    return false;
  }
}
