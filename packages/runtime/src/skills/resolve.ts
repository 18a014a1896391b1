// From a name or a path to one skill, or to the reason why not. The same answer for the same skills, always.
import { basename, dirname } from "node:path";
import { type SkillLoadError, visibleName } from "@codelia/shared-types";
import { givenPath } from "./given-path.ts";
import type {
  ResolvedSkill,
  SkillFailure,
  SkillFailureCode,
  SkillResolution,
  SkillSelector,
} from "./types.ts";
import { skillFileName } from "./walk.ts";

export interface ResolverOptions {
  readonly enabled: readonly ResolvedSkill[];
  readonly disabled: readonly ResolvedSkill[];
  readonly errors: readonly SkillLoadError[];
  /** Where relative paths start; without it they name nothing. */
  readonly cwd: string | undefined;
  /** Undefined when it leads nowhere. */
  readonly realPath: (path: string) => string | undefined;
  /** Paths of skills with names like this one. */
  readonly near: (name: string) => readonly string[];
}

const shownCandidates = 8;

export class SkillResolver {
  readonly #options: ResolverOptions;
  readonly #byPath = new Map<string, ResolvedSkill>();
  readonly #disabled: ReadonlySet<ResolvedSkill>;

  constructor(options: ResolverOptions) {
    this.#options = options;
    this.#disabled = new Set(options.disabled);
    const all = [...options.enabled, ...options.disabled];
    for (const resolved of all) this.#name(resolved, resolved.realPath);
    for (const resolved of all) this.#name(resolved, resolved.skill.path);
  }

  resolve({ name, path }: SkillSelector): SkillResolution {
    if (path !== undefined) return this.#byGivenPath(path, name);
    if (name !== undefined) return this.#byName(name);
    return failed("no_selector", "Name a skill, or give the path of its SKILL.md.");
  }

  #name(resolved: ResolvedSkill, path: string): void {
    if (!this.#byPath.has(path)) this.#byPath.set(path, resolved);
    const dir = dirname(path);
    if (!this.#byPath.has(dir)) this.#byPath.set(dir, resolved);
  }

  #byGivenPath(given: string, name: string | undefined): SkillResolution {
    const path = givenPath(given, this.#options.cwd);
    const found = path === undefined ? undefined : this.#at(path);
    if (found === undefined) return this.#unknownPath(given, path, name);
    if (name !== undefined && name !== found.skill.name) {
      return failed(
        "mismatch",
        `${shown(found.skill.path)} is the skill ${found.skill.name}, not ${shown(name)}. Give only the path, or only the name.`,
        [found.skill.path],
      );
    }
    return this.#unlessDisabled(found);
  }

  #at(path: string): ResolvedSkill | undefined {
    const known = this.#byPath.get(path);
    if (known !== undefined) return known;
    const real = this.#options.realPath(path);
    return real === undefined ? undefined : this.#byPath.get(real);
  }

  #unknownPath(given: string, path: string | undefined, name: string | undefined): SkillResolution {
    const error = this.#options.errors.find((each) => each.path === path || dirname(each.path) === path);
    if (error !== undefined && path !== undefined) return faulty(error);
    const names = [name, basename(given) === skillFileName ? basename(dirname(given)) : basename(given)];
    const candidates = [...new Set(names)].flatMap((each) =>
      each === undefined ? [] : this.#withName(each).map(({ skill }) => skill.path),
    );
    return failed(
      "unknown_path",
      `${shown(given)} is no skill that was found. ${candidates.length > 0 ? hint(candidates) : "Use skill_search to find its path."}`,
      candidates,
    );
  }

  #byName(name: string): SkillResolution {
    const found = this.#withName(name);
    const [first] = found;
    if (first !== undefined && found.length === 1) return { ok: true, resolved: first };
    if (found.length > 1) {
      const paths = found.map(({ skill }) => skill.path);
      return failed(
        "ambiguous",
        `${found.length} skills are called ${shown(name)}. Give the path of one: ${list(paths)}`,
        paths,
      );
    }
    const off = this.#options.disabled.find(({ skill }) => skill.name === name);
    if (off !== undefined) return this.#unlessDisabled(off);
    const error = this.#options.errors.find(
      ({ path }) => basename(path) === skillFileName && basename(dirname(path)) === name,
    );
    if (error !== undefined) return faulty(error);
    const candidates = this.#options.near(name);
    return failed(
      "unknown_name",
      `No skill is called ${shown(name)}. ${candidates.length > 0 ? hint(candidates) : "Use skill_search with words of the task."}`,
      candidates,
    );
  }

  #withName(name: string): ResolvedSkill[] {
    return this.#options.enabled.filter(({ skill }) => skill.name === name);
  }

  #unlessDisabled(found: ResolvedSkill): SkillResolution {
    if (!this.#disabled.has(found)) return { ok: true, resolved: found };
    return failed(
      "disabled",
      `The skill ${found.skill.name} (${shown(found.skill.path)}) is disabled. The user can enable it: codelia skills enable ${found.skill.name}`,
    );
  }
}

function failed(
  code: SkillFailureCode,
  message: string,
  candidates: readonly string[] = [],
): SkillResolution {
  const failure: SkillFailure = { code, message, candidates };
  return { ok: false, failure };
}

function faulty({ path, message, fix }: SkillLoadError): SkillResolution {
  return failed("faulty", `${shown(path)} cannot be used: ${message}. ${sentence(fix)}`);
}

function hint(candidates: readonly string[]): string {
  return `Did you mean: ${list(candidates)}`;
}

function list(paths: readonly string[]): string {
  const rest = paths.length - shownCandidates;
  return [...paths.slice(0, shownCandidates).map(shown), ...(rest > 0 ? [`and ${rest} more`] : [])].join(
    ", ",
  );
}

/** Of what a model or a user wrote; it may be long. */
function shown(text: string): string {
  return visibleName(text.length <= 300 ? text : `${text.slice(0, 297)}…`);
}

function sentence(fix: string | undefined): string {
  return fix === undefined ? "" : `Fix: ${fix}.`;
}
