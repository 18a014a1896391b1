// Skills for tests: a project and a home directory in one temporary tree, and the skills that are found in them.
import { join } from "node:path";
import type { SkillsSettings } from "@codelia/shared-types";
import { nodeDisk } from "@codelia/storage";
import { TemporaryTree, type TreeDescription } from "../../../../test/support/tree.ts";
import { nodeSkillDisk, type SkillDisk } from "../../src/skills/disk.ts";
import {
  type OpenedCatalog,
  openCatalog,
  openSkills,
  type Skills,
  skillRoots,
} from "../../src/skills/index.ts";

export const defaultSettings: SkillsSettings = {
  enabled: true,
  initial: { maxEntries: 200, maxBytes: 32768 },
  search: { defaultLimit: 8, maxLimit: 50 },
  disabled: [],
};

/** Text of a SKILL.md. */
export function skillText(name: string, description = `About ${name}.`, body = "Do it.\n"): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}`;
}

export interface SceneOptions {
  /** Below the project. */
  readonly cwd?: string;
  readonly settings?: Partial<SkillsSettings>;
}

/** Keeps count of what is opened and listed. */
export interface Watched {
  readonly disk: SkillDisk;
  readonly opened: string[];
  readonly listed: string[];
}

export class SkillScene implements Disposable {
  readonly tree: TemporaryTree;
  readonly #options: SceneOptions;

  /** Paths of `project/…` and `home/…`. */
  constructor(description: TreeDescription, options: SceneOptions = {}) {
    this.tree = new TemporaryTree({ "project/": "", "home/": "", ...description });
    this.#options = options;
  }

  at(...names: string[]): string {
    return this.tree.at(...names);
  }

  options(settings: Partial<SkillsSettings> = {}, disk: SkillDisk = nodeSkillDisk) {
    const root = this.at("project");
    const names = (this.#options.cwd ?? "").split("/").filter((name) => name !== "");
    const chain = [root, ...names.map((_, index) => join(root, ...names.slice(0, index + 1)))];
    return {
      roots: skillRoots({ chain, root, userHome: this.at("home") }),
      settings: { ...defaultSettings, ...this.#options.settings, ...settings },
      indexDirectory: this.at("home/.codelia/index"),
      disk: nodeDisk,
      skillDisk: disk,
      // Later than every file in the tree, so that their times can be relied on.
      now: () => new Date(Date.now() + 60_000),
      cwd: chain.at(-1) ?? root,
    };
  }

  async open(settings: Partial<SkillsSettings> = {}, disk?: SkillDisk): Promise<Skills> {
    const skills = await openSkills(this.options(settings, disk));
    await skills.saved;
    return skills;
  }

  /** As with thousands of skills: only those that are listed are looked at. */
  async glance(settings: Partial<SkillsSettings> = {}, disk?: SkillDisk): Promise<OpenedCatalog> {
    return await openCatalog({ ...this.options(settings, disk), glanceAbove: 0 });
  }

  /** Paths below the tree's top. */
  async paths(): Promise<string[]> {
    return (await this.open()).catalog.skills.map(({ path }) => this.short(path));
  }

  /** `path: message` of each error, below the tree's top. */
  async errors(): Promise<string[]> {
    const { errors } = (await this.open()).catalog;
    return errors.map(
      ({ path, message }) => `${this.short(path)}: ${message.replaceAll(this.tree.path, "")}`,
    );
  }

  short(path: string): string {
    return path.replace(`${this.tree.path}/`, "");
  }

  [Symbol.dispose](): void {
    this.tree[Symbol.dispose]();
  }
}

export function watchedDisk(): Watched {
  const opened: string[] = [];
  const listed: string[] = [];
  return {
    opened,
    listed,
    disk: {
      ...nodeSkillDisk,
      open: (path) => {
        opened.push(path);
        return nodeSkillDisk.open(path);
      },
      readdir: (path) => {
        listed.push(path);
        return nodeSkillDisk.readdir(path);
      },
    },
  };
}
