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
} from "./agents-oracle.ts";

export interface ExpectedNews {
  readonly files: ResolvedAgents["files"];
  readonly changed: readonly string[];
  readonly pending: number;
  /** Everything in the chain that may be told as not used. */
  readonly skipped: readonly ExpectedSkip[];
}

export interface TargetScope {
  readonly directory: string;
  readonly root: string;
  /** Root first. */
  readonly chain: readonly string[];
}

export function scopeOf(situation: Situation, sessionRoot: string, targetPath: string): TargetScope {
  const target = resolve(situation.cwd, targetPath);
  const directory = kindAt(target) === "directory" ? target : dirname(target);
  const inside = isWithin(directory, sessionRoot);
  const root = inside ? sessionRoot : rootByMarkers(situation, directory).path;
  return { directory, root, chain: chainOf(root, directory) };
}

/** Keeps the modification time of every real file that the model has been told about. */
export class OracleLedger {
  readonly #situation: Situation;
  readonly #root: string;
  readonly #known = new Map<string, number>();

  constructor(situation: Situation, root: string) {
    this.#situation = situation;
    this.#root = root;
    for (const { path } of expectedInitial(situation, root).files) this.#learn(realOf(path));
  }

  #learn(realPath: string): void {
    this.#known.set(realPath, statSync(realPath).mtimeMs);
  }

  resolve(targetPath: string): ExpectedNews {
    const { settings, isTrusted } = this.#situation;
    const { root, chain } = scopeOf(this.#situation, this.#root, targetPath);
    const news = new Map<string, Winner>();
    const skipped: ExpectedSkip[] = [];
    for (const each of isTrusted(root) ? chain : []) {
      const found = search(each, candidateNamesOf(settings), permittedFor(this.#situation, root, each));
      skipped.push(...found.skipped);
      if (found.winner === undefined || news.has(found.winner.realPath)) continue;
      const { size, mtimeMs } = statSync(found.winner.realPath);
      const known = this.#known.get(found.winner.realPath) === mtimeMs;
      if (size > 0 && !known) news.set(found.winner.realPath, found.winner);
    }
    const chosen = [...news.values()].slice(-settings.resolver.maxFilesPerResolve);
    const changed = chosen.filter((each) => this.#known.has(each.realPath)).map((each) => each.path);
    const files = chosen.map(({ path, realPath }) => {
      this.#learn(realPath);
      const { mtimeMs, size } = statSync(realPath);
      return { path, mtimeMs, sizeBytes: size };
    });
    return { files, changed, pending: news.size - chosen.length, skipped };
  }
}
