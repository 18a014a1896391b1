// The skills of a directory: found, read through the index on disk, and offered to catalog, search and load.
import { join, normalize } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import type { SkillCatalog, SkillMetadata, SkillsSettings } from "@codelia/shared-types";
import { type Disk, quietly, writeFileAtomic } from "@codelia/storage";
import { nodeSkillDisk, type SkillDisk } from "./disk.ts";
import { fewFiles, glance } from "./glance.ts";
import { encodeIndex, indexFileOf, noIndex, type ReadIndex, readIndex } from "./index-file.ts";
import { type Inventory, type RootInventory, takeInventory } from "./inventory.ts";
import { type KnownRoot, nothingKnown } from "./known.ts";
import { renderCatalog } from "./render-catalog.ts";
import { SkillResolver } from "./resolve.ts";
import { SkillSearcher } from "./search/index.ts";
import type {
  CatalogText,
  OpenedCatalog,
  ResolvedSkill,
  SkillResolution,
  SkillRoot,
  SkillSearch,
  SkillSearchOptions,
  SkillSelector,
  Skills,
} from "./types.ts";

export interface OpenSkillsOptions {
  /** In the order of `skillRoots`. */
  readonly roots: readonly SkillRoot[];
  readonly settings: SkillsSettings;
  /** Where what was read is kept for the next start (`skillIndexDirectory`); undefined: nowhere. */
  readonly indexDirectory: string | undefined;
  /** The index is written through it. */
  readonly disk: Disk;
  readonly now: () => Date;
  /** Where relative paths in selectors start; without it they name nothing. */
  readonly cwd?: string;
  readonly skillDisk?: SkillDisk;
  /** With more known skills than this, `openCatalog` looks only at those that it lists. */
  readonly glanceAbove?: number;
}

export function skillIndexDirectory(codeliaHome: string): string {
  return join(codeliaHome, "index");
}

/**
 * @effects looks at the roots and reads the heads of the SKILL.md that the index does not know; writes the index
 * @error   none for what is wrong with skills: that is in `catalog.errors`
 */
export async function openSkills(options: OpenSkillsOptions): Promise<Skills> {
  return await look(options, readKnown(options));
}

/**
 * What a session starts with. With thousands of skills it looks only at those that the catalog lists, once the index
 * knows the rest; the number of those that are not listed is then what the index says.
 * @effects and @error as above
 */
export async function openCatalog(options: OpenSkillsOptions): Promise<OpenedCatalog> {
  const known = readKnown(options);
  let whole: Promise<Skills> | undefined;
  const lookOnce = () => {
    whole ??= look(options, known);
    return whole;
  };
  const { settings, roots, skillDisk: disk = nodeSkillDisk, glanceAbove = fewFiles } = options;
  const initial = settings.enabled
    ? glance({
        disk,
        roots,
        settings,
        indexOf: (root) => known.indexOf(root),
        isDisabled: disabledBy(settings),
        above: glanceAbove,
      })
    : undefined;
  if (initial !== undefined) return { initial, whole: lookOnce };
  return { initial: (await lookOnce()).initialCatalog(), whole: lookOnce };
}

interface Known {
  of(root: SkillRoot): KnownRoot;
  /** First line of the index on disk, where it was read. */
  headerOf(root: SkillRoot): string | undefined;
}

interface IndexOnDisk extends Known {
  indexOf(root: SkillRoot): ReadIndex["directories"];
}

function readKnown({ indexDirectory }: OpenSkillsOptions): IndexOnDisk {
  const read = new Map<SkillRoot, ReadIndex>();
  const get = (root: SkillRoot) => {
    let found = read.get(root);
    if (found === undefined) {
      found = indexDirectory === undefined ? noIndex : readIndex(indexFileOf(indexDirectory, root), root);
      read.set(root, found);
    }
    return found;
  };
  return {
    of: (root) => get(root).known,
    headerOf: (root) => get(root).header,
    indexOf: (root) => get(root).directories,
  };
}

async function look(options: OpenSkillsOptions, known: Known): Promise<Skills> {
  const { settings, skillDisk: disk = nodeSkillDisk, now } = options;
  const roots = settings.enabled ? options.roots : [];
  const inventory = await takeInventory({ disk, roots, knownOf: (root) => known.of(root), now });
  return new OpenedSkills(options, inventory, save(options, inventory.roots, known));
}

/** An index that cannot be written costs time at the next start, and nothing else. */
async function save(
  { indexDirectory, disk }: OpenSkillsOptions,
  roots: readonly RootInventory[],
  before: Known,
): Promise<void> {
  if (indexDirectory === undefined) return;
  // Whoever waits for the skills goes first.
  await breathe();
  for (const { root, known, isNews } of roots) {
    if (!isNews || known === undefined || (known.size === 0 && before.of(root).size === 0)) continue;
    const { header, text } = encodeIndex(root, known);
    if (header === before.headerOf(root)) continue;
    await quietly(() => writeFileAtomic(indexFileOf(indexDirectory, root), text, disk));
  }
}

class OpenedSkills implements Skills {
  readonly catalog: SkillCatalog;
  readonly disabled: readonly SkillMetadata[];
  readonly saved: Promise<void>;
  readonly #options: OpenSkillsOptions;
  readonly #inventory: Inventory;
  readonly #enabled: readonly ResolvedSkill[];
  readonly #disabled: readonly ResolvedSkill[];
  #searcher: SkillSearcher | undefined;
  #resolver: SkillResolver | undefined;

  constructor(options: OpenSkillsOptions, inventory: Inventory, saved: Promise<void>) {
    this.#options = options;
    this.#inventory = inventory;
    this.saved = saved;
    const { skills, errors, truncated } = inventory;
    const isDisabled = disabledBy(options.settings);
    this.#enabled = skills.filter((resolved) => !isDisabled(resolved));
    this.#disabled = skills.filter(isDisabled);
    this.disabled = this.#disabled.map(({ skill }) => skill);
    this.catalog = { skills: this.#enabled.map(({ skill }) => skill), errors: [...errors], truncated };
  }

  initialCatalog(): CatalogText {
    return renderCatalog(this.catalog.skills, this.#options.settings.initial);
  }

  search(query: string, options?: SkillSearchOptions): SkillSearch {
    this.#searcher ??= new SkillSearcher(this.#enabled, this.#options.settings.search, this.#options.cwd);
    return this.#searcher.search(query, options);
  }

  resolve(selector: SkillSelector): SkillResolution {
    const { cwd, skillDisk = nodeSkillDisk } = this.#options;
    this.#resolver ??= new SkillResolver({
      enabled: this.#enabled,
      disabled: this.#disabled,
      errors: this.#inventory.errors,
      cwd,
      realPath: (path) => realPathIfAny(skillDisk, path),
      near: (name) => this.search(name, { limit: 5 }).results.map(({ skill }) => skill.path),
    });
    return this.#resolver.resolve(selector);
  }

  async refresh(): Promise<Skills> {
    const before = new Map(this.#inventory.roots.map(({ root, known }) => [root, known]));
    const of = (root: SkillRoot) => before.get(root) ?? nothingKnown;
    return await look(this.#options, { of, headerOf: () => undefined });
  }
}

/** Whether the settings switch a skill off: by its name, or by a path of its SKILL.md or directory. */
function disabledBy({ disabled }: SkillsSettings): (resolved: ResolvedSkill) => boolean {
  if (disabled.length === 0) return () => false;
  const names = new Set(disabled);
  const paths = new Set(disabled.filter((each) => each.includes("/")).map((each) => normalize(each)));
  return ({ skill, realPath, realDir }) =>
    names.has(skill.name) || [skill.path, skill.dir, realPath, realDir].some((path) => paths.has(path));
}

function realPathIfAny(disk: SkillDisk, path: string): string | undefined {
  try {
    return disk.realPath(path);
  } catch {
    return undefined;
  }
}
