// What the specification says about a sequence of tool calls: which files each of them names.
import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { ResolvedAgents } from "@codelia/shared-types";
import {
  candidateNamesOf,
  chainOf,
  type ExpectedSkip,
  expectedInitial,
  isWithin,
  kindAt,
  permittedFor,
  realOf,
  rootByMarkers,
  type Situation,
  search,
  type Winner,
  withheld,
} from "./agents-oracle.ts";

export interface ExpectedNews {
  readonly files: ResolvedAgents["files"];
  /** Named before, under the same path and in another version. */
  readonly changed: readonly string[];
  /** The same, under whatever path. */
  readonly perhapsChanged: readonly string[];
  readonly pending: number;
  /** Each is told once, and none for being shadowed: the search ends at the winner. */
  readonly skipped: readonly ExpectedSkip[];
  readonly searchable: boolean;
}

export interface TargetScope {
  /** Absolute. */
  readonly target: string;
  readonly root: string;
  /** Root first. */
  readonly chain: readonly string[];
  /** false: a link in the path leads back to itself, so that nothing below it can be looked at. */
  readonly searchable: boolean;
}

export function scopeOf(situation: Situation, sessionRoot: string, targetPath: string): TargetScope {
  const target = resolve(situation.cwd, targetPath);
  const directory = kindAt(target) === "directory" ? target : dirname(target);
  const inside = isWithin(directory, sessionRoot);
  const root = inside ? sessionRoot : rootByMarkers(situation, directory).path;
  const chain = chainOf(root, directory);
  return {
    target,
    root,
    chain,
    searchable: [...chain, target].every((each) => kindAt(each) !== "cyclic"),
  };
}

/** Keeps the modification time of every real file that the model has been told about. */
export class OracleLedger {
  readonly #situation: Situation;
  readonly #root: string;
  readonly #known = new Map<string, number>();
  readonly #paths = new Set<string>();
  readonly #told = new Set<string>();

  constructor(situation: Situation, root: string) {
    this.#situation = situation;
    this.#root = root;
    for (const { path } of expectedInitial(situation, root).files) this.#learn(path);
  }

  #learn(path: string): void {
    this.#known.set(realOf(path), statSync(path).mtimeMs);
    this.#paths.add(path);
  }

  #isNew({ path, reason }: ExpectedSkip): boolean {
    const key = JSON.stringify([path, reason]);
    const isNew = !this.#told.has(key);
    this.#told.add(key);
    return isNew;
  }

  resolve(targetPath: string): ExpectedNews {
    const { settings, isTrusted } = this.#situation;
    const { root, chain, searchable } = scopeOf(this.#situation, this.#root, targetPath);
    const news = new Map<string, Winner>();
    const skipped: ExpectedSkip[] = [];
    const names = candidateNamesOf(settings);
    for (const each of chain) {
      // Home instructions are loaded at the start; a tool call there is not about them.
      if (each === this.#situation.codeliaHome) continue;
      if (!isTrusted(root)) {
        skipped.push(...withheld(each, names, "untrusted"));
        continue;
      }
      const found = search(each, names, permittedFor(this.#situation, root, each));
      skipped.push(...found.skipped);
      if (found.winner === undefined || news.has(found.winner.realPath)) continue;
      const { size, mtimeMs } = statSync(found.winner.realPath);
      const known = this.#known.get(found.winner.realPath) === mtimeMs;
      if (size > 0 && !known) news.set(found.winner.realPath, found.winner);
    }
    const chosen = [...news.values()].slice(-settings.resolver.maxFilesPerResolve);
    const perhapsChanged = chosen.filter((each) => this.#known.has(each.realPath)).map((each) => each.path);
    const changed = perhapsChanged.filter((path) => this.#paths.has(path));
    const files = chosen.map(({ path }) => {
      this.#learn(path);
      const { mtimeMs, size } = statSync(path);
      return { path, mtimeMs, sizeBytes: size };
    });
    return {
      files,
      changed,
      perhapsChanged,
      pending: news.size - chosen.length,
      skipped: skipped.filter((each) => each.reason !== "shadowed" && this.#isNew(each)),
      searchable,
    };
  }
}
