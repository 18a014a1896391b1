// Compares the files of some directories with what the model was told: new, changed, gone.
import { dirname, join } from "node:path";
import type {
  AgentsFileVersion,
  AgentsRemoval,
  AgentsSkip,
  FileStat,
  FileSystem,
} from "@codelia/shared-types";
import { admit, type Candidate, type CandidateName, ProbeFailure, probeDirectory } from "./candidates.ts";
import type { AgentsState } from "./ledger.ts";
import { fileVersion, readInstructions } from "./reading.ts";
import type { Scope } from "./scope.ts";

export interface ApplicableFile {
  readonly path: string;
  readonly version: AgentsFileVersion;
  /** It was shown before, in another version. */
  readonly changed: boolean;
}

/** What there is to tell about one directory. */
export interface Assessment {
  readonly directory: string;
  readonly news: ApplicableFile | undefined;
  readonly removed: readonly AgentsRemoval[];
  readonly skipped: readonly AgentsSkip[];
}

export interface AssessmentScope extends Scope {
  /** Directories that the user entered by naming them as working directory. */
  readonly isEntered: (directory: string) => boolean;
}

interface Verdict {
  readonly stat: FileStat;
  readonly outcome: { readonly realPath: string } | AgentsSkip;
}

/**
 * Remembers verdicts that cost more than a stat, keyed by the file's state, so that looking again at a
 * directory that has not changed costs its stats and nothing else.
 */
export class DirectoryAssessor {
  readonly #fs: FileSystem;
  readonly #names: readonly CandidateName[];
  readonly #verdicts = new Map<string, Verdict>();
  readonly #sameContent = new Map<string, FileStat>();

  constructor(fs: FileSystem, names: readonly CandidateName[]) {
    this.#fs = fs;
    this.#names = names;
  }

  async assess(directory: string, state: AgentsState, scope: AssessmentScope): Promise<Assessment> {
    try {
      const probe = await probeDirectory(this.#fs, directory, this.#names);
      if (!scope.trusted) {
        return nothingToTell(
          directory,
          probe.candidates.map(({ path }) => ({ path, reason: "untrusted" })),
        );
      }
      const skipped = [...probe.skipped];
      let winner: { candidate: Candidate; realPath: string } | undefined;
      for (const candidate of probe.candidates) {
        const outcome = await this.#admit(candidate, directory, scope);
        if ("realPath" in outcome) {
          winner = { candidate, realPath: outcome.realPath };
          break;
        }
        skipped.push(outcome);
      }
      return {
        directory,
        news: winner && (await this.#news(winner.candidate, winner.realPath, state)),
        removed: this.#removed(directory, winner?.candidate, skipped, state),
        skipped,
      };
    } catch (error) {
      if (error instanceof ProbeFailure)
        return nothingToTell(directory, [unreadableSkip(error.path, error.message)]);
      throw error;
    }
  }

  async #admit(
    candidate: Candidate,
    directory: string,
    scope: AssessmentScope,
  ): Promise<{ realPath: string } | AgentsSkip> {
    const known = this.#verdicts.get(candidate.path);
    if (known !== undefined && isSameState(known.stat, candidate.stat)) return known.outcome;
    const entered = scope.isEntered(directory) ? directory : undefined;
    const outcome = await admit(this.#fs, candidate, scope.realRoot, entered).catch((error: unknown) => {
      throw new ProbeFailure(candidate.path, error);
    });
    this.#verdicts.set(candidate.path, { stat: candidate.stat, outcome });
    return outcome;
  }

  async #news(
    candidate: Candidate,
    realPath: string,
    state: AgentsState,
  ): Promise<ApplicableFile | undefined> {
    const { path, stat } = candidate;
    // Empty files say nothing; a known one that became empty is a removal.
    if (stat.sizeBytes === 0) return undefined;
    const own = state.loadedVersions.get(path);
    if (own !== undefined && (await this.#isSameVersion(path, own, stat, realPath))) return undefined;
    // The file may have been shown under another path; identity is the real path.
    const twins = [...state.loadedVersions].filter(
      ([shown, version]) => shown !== path && version.realPath === realPath,
    );
    for (const [shown, version] of twins) {
      if (await this.#isSameVersion(shown, version, stat, realPath)) return undefined;
    }
    return { path, version: fileVersion(stat, realPath), changed: own !== undefined || twins.length > 0 };
  }

  /** The modification time decides; where it is equal and anything else moved, the content does. */
  async #isSameVersion(
    path: string,
    known: AgentsFileVersion,
    stat: FileStat,
    realPath: string,
  ): Promise<boolean> {
    if (known.mtimeMs !== stat.mtimeMs) return false;
    if (known.ctimeMs === stat.ctimeMs && known.sizeBytes === stat.sizeBytes && known.inode === stat.inode)
      return true;
    // Never read, or another size: there is nothing to compare with.
    if (known.sha256 === undefined || known.sizeBytes !== stat.sizeBytes) return false;
    const compared = this.#sameContent.get(path);
    if (compared !== undefined && isSameState(compared, stat)) return true;
    const reading = await readInstructions(this.#fs, realPath, known.sizeBytes).catch(() => undefined);
    const same = reading?.outcome === "text" && reading.version.sha256 === known.sha256;
    if (same) this.#sameContent.set(path, stat);
    return same;
  }

  #removed(
    directory: string,
    winner: Candidate | undefined,
    skipped: readonly AgentsSkip[],
    state: AgentsState,
  ): AgentsRemoval[] {
    const removed: AgentsRemoval[] = [];
    for (const { name } of this.#names) {
      const path = join(directory, name);
      if (!state.loadedVersions.has(path)) continue;
      if (winner === undefined) {
        const isThere = skipped.some((skip) => skip.path === path);
        removed.push({ path, reason: isThere ? "unavailable" : "deleted" });
      } else if (winner.path !== path) removed.push({ path, reason: "replaced", by: winner.path });
      else if (winner.stat.sizeBytes === 0) removed.push({ path, reason: "emptied" });
    }
    return removed;
  }
}

/** The directories that hold the files the model knows of. */
export function knownDirectories(state: AgentsState): Set<string> {
  return new Set([...state.loadedVersions.keys()].map((path) => dirname(path)));
}

function nothingToTell(directory: string, skipped: AgentsSkip[]): Assessment {
  return { directory, news: undefined, removed: [], skipped };
}

function unreadableSkip(path: string, detail: string): AgentsSkip {
  return { path, reason: "unreadable", detail };
}

function isSameState(a: FileStat, b: FileStat): boolean {
  return (
    a.mtimeMs === b.mtimeMs &&
    a.ctimeMs === b.ctimeMs &&
    a.sizeBytes === b.sizeBytes &&
    a.inode === b.inode &&
    a.device === b.device
  );
}
