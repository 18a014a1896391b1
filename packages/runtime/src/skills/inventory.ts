// Everything that lies in the roots: walks them, reads what is not known, and tells two ways to one skill apart.
import { createHash } from "node:crypto";
import { setImmediate as breathe } from "node:timers/promises";
import type { SkillLoadError, SkillMetadata } from "@codelia/shared-types";
import type { SkillDisk } from "./disk.ts";
import { type FrontmatterReader, yamlReader } from "./frontmatter/index.ts";
import type { KnownRoot, Said, SkillRow } from "./known.ts";
import { type ReadSkill, readSkill } from "./read-skill.ts";
import type { ResolvedSkill, SkillRoot } from "./types.ts";
import { type Found, type RootWalk, skillFileName, walkRoot } from "./walk.ts";

/** Reads in a row before others get their turn. */
const readsAtOnce = 500;

export interface Inventory {
  /** Repo before user, then by name, then by path. */
  readonly skills: readonly ResolvedSkill[];
  /** By path, then by place. */
  readonly errors: readonly SkillLoadError[];
  readonly truncated: boolean;
  readonly roots: readonly RootInventory[];
}

export interface RootInventory {
  readonly root: SkillRoot;
  /** For the next look; undefined where a limit was reached, since only a whole search then tells the same again. */
  readonly known: KnownRoot | undefined;
  /** Something was listed or read that was not known. */
  readonly isNews: boolean;
}

export interface InventoryOptions {
  readonly disk: SkillDisk;
  readonly roots: readonly SkillRoot[];
  readonly knownOf: (root: SkillRoot) => KnownRoot;
  readonly now: () => Date;
}

/** A SKILL.md with what it says. */
interface Item {
  readonly found: Found;
  readonly row: SkillRow;
  readonly realPath: string;
}

/** @error none for what is wrong with skills */
export async function takeInventory({ disk, roots, knownOf, now }: InventoryOptions): Promise<Inventory> {
  const skills = new Map<string, ResolvedSkill>();
  const broken = new Map<string, SkillLoadError[]>();
  const errors: SkillLoadError[] = [];
  const done: RootInventory[] = [];
  let truncated = false;
  for (const root of roots) {
    const known = knownOf(root);
    const moment = now().getTime();
    const walk = walkRoot({ disk, root, known, now: moment });
    truncated ||= walk.truncated;
    errors.push(...walk.errors);
    const items = await readItems(disk, walk, moment);
    for (const { found, row, realPath } of items) {
      const path = `${found.dir}/${skillFileName}`;
      // The first way to a skill counts, but one on which it is valid before one on which it is not.
      if (skills.has(realPath)) continue;
      if (row.said.ok) {
        const skill = metadataOf(found.dir, row.id, row.said, root);
        skills.set(realPath, { skill, realPath, realDir: found.realDir });
        broken.delete(found.realDir);
      } else if (!broken.has(found.realDir)) {
        const problems = row.said.problems.map((problem) => ({ path, ...problem }));
        broken.set(found.realDir, problems);
      }
    }
    const isNews = items.some(({ found }) => found.row === undefined) || hasNews(known, walk);
    done.push({ root, known: walk.truncated ? undefined : knownFrom(walk, items), isNews });
  }
  return {
    skills: [...skills.values()].toSorted(inOrder),
    errors: [...errors, ...[...broken.values()].flat()].toSorted(byPlace),
    truncated,
    roots: done,
  };
}

export function metadataOf(
  dir: string,
  id: string,
  { name, description, mtimeMs }: Extract<Said, { ok: true }>,
  { scope }: SkillRoot,
): SkillMetadata {
  return { id, name, description, path: `${dir}/${skillFileName}`, dir, scope, mtimeMs };
}

/** Repo before user, then by name, then by path: by code unit, the same everywhere. */
function inOrder({ skill: a }: ResolvedSkill, { skill: b }: ResolvedSkill): number {
  if (a.scope !== b.scope) return a.scope === "repo" ? -1 : 1;
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.path < b.path ? -1 : 1;
}

function byPlace(a: SkillLoadError, b: SkillLoadError): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

async function readItems(disk: SkillDisk, walk: RootWalk, now: number): Promise<Item[]> {
  const items: Item[] = [];
  let reader: FrontmatterReader | undefined;
  let reads = 0;
  for (const found of walk.found) {
    if (found.row !== undefined) {
      items.push({ found, row: found.row, realPath: `${found.realDir}/${skillFileName}` });
      continue;
    }
    const options = { disk, boundary: walk.boundary, now };
    let read = readSkill(found, { ...options, reader });
    if (read === undefined) {
      reader = await yamlReader();
      read = readSkill(found, { ...options, reader });
    }
    if (read === undefined) continue;
    items.push({ found, row: rowOf(found, read), realPath: read.realPath });
    reads += 1;
    if (reads % readsAtOnce === 0) await breathe();
  }
  return items;
}

function rowOf(found: Found, { realPath, stamp, mtimeMs, frontmatter, problems }: ReadSkill): SkillRow {
  const errors = problems.filter(({ severity }) => severity === "error");
  const said: Said =
    frontmatter === undefined
      ? {
          ok: false,
          problems: errors.map(({ message, line, column, fix }) => ({ message, line, column, fix })),
        }
      : { ok: true, name: frontmatter.name, description: frontmatter.description, mtimeMs };
  return { dirName: found.dirName, isLink: found.isLink, stamp, id: idOf(realPath), said };
}

function idOf(realPath: string): string {
  return createHash("sha256").update(realPath).digest("hex").slice(0, 16);
}

function hasNews(known: KnownRoot, { directories }: RootWalk): boolean {
  if (known.size !== directories.size) return true;
  for (const [below, { stamp }] of directories) if (known.get(below)?.stamp !== stamp) return true;
  return false;
}

function knownFrom({ directories }: RootWalk, items: readonly Item[]): KnownRoot {
  const rows = new Map<string, SkillRow[]>();
  for (const { found, row } of items) {
    const beside = rows.get(found.parent);
    if (beside === undefined) rows.set(found.parent, [row]);
    else beside.push(row);
  }
  return new Map(
    [...directories].map(([below, { stamp, children }]) => {
      const skills = rows.get(below) ?? [];
      const names = new Set(skills.map(({ dirName }) => dirName));
      return [below, { stamp, others: children.filter(({ name }) => !names.has(name)), rows: skills }];
    }),
  );
}
