// What the room of skills gives to others: the skills of a directory, what one is resolved to, what loading gives.
import type {
  SkillCatalog,
  SkillLoadError,
  SkillMetadata,
  SkillScope,
  SkillSearchResult,
  SkillsSettings,
} from "@codelia/shared-types";
import type { SkillFrontmatter } from "./frontmatter/index.ts";

/** A directory that skills are looked for in. */
export interface SkillRoot {
  /** Absolute; it need not exist. */
  readonly path: string;
  readonly scope: SkillScope;
  /** Links must stay inside this directory; undefined: they may lead anywhere. */
  readonly boundary: string | undefined;
}

export type CatalogLimits = SkillsSettings["initial"];

/** The catalog as the model is given it. */
export interface CatalogText {
  /** `<skills_context>…`; undefined when there is nothing to tell. */
  readonly text: string | undefined;
  /** A description was shortened or left out, or a skill is not listed. */
  readonly truncated: boolean;
  /** The skills that are listed, in order, with their whole descriptions. */
  readonly shown: readonly SkillMetadata[];
  /** How many enabled skills there are. */
  readonly total: number;
}

export interface SkillSelector {
  readonly name?: string | undefined;
  readonly path?: string | undefined;
}

/** One skill, found without doubt. Permission is decided on its name and `realPath`. */
export interface ResolvedSkill {
  readonly skill: SkillMetadata;
  /** Real path of SKILL.md: the skill's identity. */
  readonly realPath: string;
  /** The skill's directory without links; nothing outside of it is listed or read. */
  readonly realDir: string;
}

export type SkillFailureCode =
  /** Neither name nor path was given. */
  | "no_selector"
  | "unknown_name"
  | "unknown_path"
  | "ambiguous"
  /** It is there, and something is wrong with it. */
  | "faulty"
  /** `path` and `name` are two different skills. */
  | "mismatch"
  | "disabled"
  /** It was there when skills were looked for, and cannot be loaded now: gone, changed, too large. */
  | "unloadable";

export interface SkillFailure {
  readonly code: SkillFailureCode;
  /** What is wrong, where, and what to do next; harmless to show. */
  readonly message: string;
  /** Paths of SKILL.md that could have been meant. */
  readonly candidates: readonly string[];
}

export type SkillResolution =
  | { readonly ok: true; readonly resolved: ResolvedSkill }
  | { readonly ok: false; readonly failure: SkillFailure };

export interface SkillSearchOptions {
  readonly limit?: number | undefined;
  readonly scope?: SkillScope | undefined;
}

export interface SkillSearch {
  readonly results: readonly SkillSearchResult[];
  /** How many skills match, also those that the limit left out. */
  readonly count: number;
  readonly truncated: boolean;
}

/** The skills of a directory, as they were when they were looked for. */
export interface Skills {
  /** Enabled skills, and what is wrong with others. */
  readonly catalog: SkillCatalog;
  /** Skills that the settings switch off, for faces that show them. */
  readonly disabled: readonly SkillMetadata[];
  /** The catalog's text within the settings' limits. */
  initialCatalog(): CatalogText;
  search(query: string, options?: SkillSearchOptions): SkillSearch;
  resolve(selector: SkillSelector): SkillResolution;
  /** Looks again, with what is known already; skills that were handed out stay as they were. */
  refresh(): Promise<Skills>;
  /** Resolves when the index on disk was written, or could not be; a process that ends before loses only time. */
  readonly saved: Promise<void>;
}

/** The catalog of a start, before every skill was looked at. */
export interface OpenedCatalog {
  readonly initial: CatalogText;
  /** All skills, looked at. Once: later calls give the same. */
  whole(): Promise<Skills>;
}

export interface LoadedSkillText {
  /** `<skill_context …>` with body, base directory and files. */
  readonly text: string;
  readonly name: string;
  readonly skillId: string;
  /** As it was discovered. */
  readonly path: string;
  readonly realPath: string;
  readonly dir: string;
  readonly mtimeMs: number;
  /** Of SKILL.md's bytes. */
  readonly sha256: string;
  readonly frontmatter: SkillFrontmatter;
  /** Absolute, without links. */
  readonly files: readonly string[];
  /** Not every file is listed. */
  readonly filesTruncated: boolean;
}

export type SkillLoad =
  | { readonly ok: true; readonly loaded: LoadedSkillText }
  | { readonly ok: false; readonly failure: SkillFailure };

/** `$name` or `[$name](path)` in a user's message. */
export interface Mention {
  readonly name: string;
  readonly path: string | undefined;
  /** Where it begins, in UTF-16 units. */
  readonly index: number;
}

/** The skills that a user's message asks for. */
export interface MentionedSkills {
  /** Each once, in the order of the catalog. */
  readonly skills: readonly ResolvedSkill[];
  /** What was named and is no skill without doubt. */
  readonly failures: readonly { readonly name: string; readonly failure: SkillFailure }[];
}

/** What is wrong with a SKILL.md, or could be better. */
export interface SkillProblem extends SkillLoadError {
  readonly severity: "error" | "warning";
}

export interface ValidatedSkill {
  /** Path of its SKILL.md. */
  readonly path: string;
  /** Undefined when there is an error. */
  readonly name: string | undefined;
  readonly frontmatter: SkillFrontmatter | undefined;
  readonly problems: readonly SkillProblem[];
}

export interface SkillValidation {
  readonly skills: readonly ValidatedSkill[];
  /** What is wrong with the folder itself: nothing found, unreadable parts, limits. */
  readonly problems: readonly SkillProblem[];
  readonly errorCount: number;
  readonly warningCount: number;
}

export interface SkeletonFile {
  /** Relative to the directory that holds skills. */
  readonly path: string;
  readonly text: string;
}
