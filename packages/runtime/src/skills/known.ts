// What is known of a root: the directories on the way to its skills, and what each SKILL.md said.
// It is kept on disk between starts, and in memory between looks.
import type { SkillLoadError } from "@codelia/shared-types";
import type { Stamp } from "./stamp.ts";

/** A directory with a SKILL.md. */
export interface SkillRow {
  /** Name of the directory, below the one that this row belongs to. */
  readonly dirName: string;
  /** The directory is a link: where it leads has to be found out again. */
  readonly isLink: boolean;
  /** Of SKILL.md. */
  readonly stamp: Stamp;
  /** A hash of the real path. */
  readonly id: string;
  readonly said: Said;
}

/** What a SKILL.md says, or what is wrong with it; the problems' path is its own. */
export type Said =
  | { readonly ok: true; readonly name: string; readonly description: string; readonly mtimeMs: number }
  | { readonly ok: false; readonly problems: readonly Omit<SkillLoadError, "path">[] };

/** An entry that may lead to skills. */
export interface OtherChild {
  readonly name: string;
  readonly isLink: boolean;
}

/** A directory without a SKILL.md of its own. */
export interface KnownDirectory {
  readonly stamp: Stamp;
  /** Both by name; what is in one is not in the other. */
  readonly others: readonly OtherChild[];
  readonly rows: readonly SkillRow[];
}

/** By path below the root; the root itself is "". */
export type KnownRoot = ReadonlyMap<string, KnownDirectory>;

export const nothingKnown: KnownRoot = new Map();
