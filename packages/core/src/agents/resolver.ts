// Tells which further AGENTS.md files apply when work moves to another path. Stats only, O(depth).
import { dirname, resolve } from "node:path";
import type { AgentsRecord, AgentsResolution, AgentsSkip } from "@codelia/shared-types";
import { type ApplicableFile, type Assessment, DirectoryAssessor } from "./assessment.ts";
import { candidateNames } from "./candidates.ts";
import { directoriesBetween, isInside } from "./chain.ts";
import { explainSystemError } from "./error.ts";
import { type AgentsState, applyAgentsRecord } from "./ledger.ts";
import { readInstructions } from "./reading.ts";
import { type InlineBody, renderResolution } from "./rendering.ts";
import { type ScopeOptions, Scopes } from "./scope.ts";

export interface ResolverOptions extends ScopeOptions {
  readonly state: AgentsState;
}

export interface PathResolution {
  readonly resolution: AgentsResolution;
  /** To be appended to the tool's result after it was cut to size; absent when there is nothing to say. */
  readonly reminder: string | undefined;
  /** To be journalled with the tool's result; absent when the ledger did not change. */
  readonly record: AgentsRecord | undefined;
}

export interface AgentsResolver {
  readonly state: AgentsState;
  /**
   * @input  targetPath: a path that a tool call names; relative to the working directory, need not exist
   * @output what to tell the model, once per version of a file; calls are answered in the order they were made
   * @effects O(depth) stats; a body is read only in inline mode or to compare content; updates the state
   * @error  none: a directory that cannot be checked is told as such
   */
  resolveAgentsForPath(targetPath: string): Promise<PathResolution>;
  /** Takes over a state rebuilt from records, after compaction, rewind or fork. */
  replaceState(state: AgentsState): void;
}

export function createAgentsResolver(options: ResolverOptions): AgentsResolver {
  return new Resolver(options);
}

class Resolver implements AgentsResolver {
  readonly #options: ResolverOptions;
  readonly #assessor: DirectoryAssessor;
  readonly #scopes: Scopes;
  #state: AgentsState;
  #lastCall: Promise<unknown> = Promise.resolve();

  constructor(options: ResolverOptions) {
    this.#options = options;
    this.#state = options.state;
    this.#scopes = new Scopes(options);
    this.#assessor = new DirectoryAssessor(options.fs, candidateNames(options.settings.fallbackFilenames));
  }

  get state(): AgentsState {
    return this.#state;
  }

  replaceState(state: AgentsState): void {
    this.#state = state;
  }

  resolveAgentsForPath(targetPath: string): Promise<PathResolution> {
    // One after another: parallel tool calls of a turn present a file once, and always in the same call.
    const call = this.#lastCall.then(() => this.#resolve(targetPath));
    this.#lastCall = call.catch(() => undefined);
    return call;
  }

  async #resolve(targetPath: string): Promise<PathResolution> {
    const { settings } = this.#options;
    if (!settings.enabled || !settings.resolver.enabled) return nothing([]);
    const target = resolve(this.#state.cwd, targetPath);
    let assessments: Assessment[];
    try {
      assessments = await this.#assessChain(target);
    } catch (error) {
      return nothing([{ path: target, reason: "unreadable", detail: explainSystemError(error) }]);
    }
    return this.#tell(target, assessments);
  }

  async #tell(target: string, assessments: readonly Assessment[]): Promise<PathResolution> {
    const { settings } = this.#options;
    const selection = selectNews(assessments, settings.resolver.maxFilesPerResolve);
    const skipped = assessments
      .flatMap((assessment) => assessment.skipped)
      .filter(({ path }) => !this.#state.reported.has(path));
    const resolution = describe(selection, assessments, skipped);
    const { presented, bodies } = await this.#inline(selection.chosen);
    const coveredDirs = assessments
      .filter(
        ({ directory, news }) => !this.#state.coveredDirs.has(directory) && !selection.pending.includes(news),
      )
      .map(({ directory }) => directory);
    const record: AgentsRecord = {
      type: "agents.resolve",
      target,
      coveredDirs,
      presented: presented.map(({ path, version }) => ({ path, version })),
      removed: resolution.removed.map(({ path }) => path),
      reported: skipped.map(({ path }) => path),
    };
    const isEmpty = [record.coveredDirs, record.presented, record.removed, record.reported].every(
      (list) => list.length === 0,
    );
    if (isEmpty) return { resolution, reminder: undefined, record: undefined };
    this.#state = applyAgentsRecord(this.#state, record);
    return { resolution, reminder: renderResolution(resolution, bodies), record };
  }

  /**
   * Looks below the target as if it were a directory while it finds out whether it is one: a file has nothing
   * below it, and one round of stats is half the time of two.
   */
  async #assessChain(target: string): Promise<Assessment[]> {
    const { root, cwd } = this.#state;
    const isDirectory = this.#isDirectory(target);
    const directory = isInside(target, root) || (await isDirectory) ? target : dirname(target);
    const scope = await this.#scopes.of(directory, root);
    const isEntered = (entered: string) => isInside(cwd, entered);
    const assessments = await Promise.all(
      this.#chain(scope.root, directory).map((each) =>
        this.#assessor.assess(each, this.#state, { ...scope, isEntered }),
      ),
    );
    return (await isDirectory)
      ? assessments
      : assessments.filter((assessment) => assessment.directory !== target);
  }

  /** Home instructions have rules of their own: they are loaded at the start and compared on resume. */
  #chain(root: string, directory: string): string[] {
    return directoriesBetween(root, directory).filter((each) => each !== this.#options.codeliaHome);
  }

  async #isDirectory(target: string): Promise<boolean> {
    const stat = await this.#options.fs.stat(target).catch(() => undefined);
    return stat?.kind === "directory";
  }

  /** Bodies of the nearest files while the inline budget lasts, told root first. */
  async #inline(
    chosen: readonly ApplicableFile[],
  ): Promise<{ presented: ApplicableFile[]; bodies: InlineBody[] }> {
    let remaining = this.#options.settings.resolver.inline.maxBytes;
    const presented: ApplicableFile[] = [];
    const bodies: InlineBody[] = [];
    for (const file of chosen.toReversed()) {
      let shown = file;
      if (remaining > 0) {
        const reading = await readInstructions(this.#options.fs, file.version.realPath, remaining).catch(
          () => undefined,
        );
        if (reading?.outcome === "text") {
          const { text, keptBytes, totalBytes, version } = reading;
          if (keptBytes > 0) bodies.unshift({ path: file.path, text, keptBytes, totalBytes });
          remaining -= keptBytes;
          shown = { ...file, version };
        }
      }
      presented.unshift(shown);
    }
    return { presented, bodies };
  }
}

export interface NewsSelection {
  /** Root first. */
  readonly chosen: readonly ApplicableFile[];
  readonly pending: readonly (ApplicableFile | undefined)[];
}

/** The nearest files up to the limit; one real file is told once, under the path nearest to the root. */
export function selectNews(assessments: readonly Assessment[], limit: number): NewsSelection {
  const byRealPath = new Map<string, ApplicableFile>();
  for (const { news } of assessments) {
    if (news !== undefined && !byRealPath.has(news.version.realPath))
      byRealPath.set(news.version.realPath, news);
  }
  const news = [...byRealPath.values()];
  const held = Math.max(0, news.length - limit);
  return { chosen: news.slice(held), pending: news.slice(0, held) };
}

export function describe(
  { chosen, pending }: NewsSelection,
  assessments: readonly Assessment[],
  skipped: AgentsSkip[],
): AgentsResolution {
  return {
    files: chosen.map(({ path, version }) => ({
      path,
      mtimeMs: version.mtimeMs,
      sizeBytes: version.sizeBytes,
    })),
    changed: chosen.filter((file) => file.changed).map(({ path }) => path),
    removed: assessments.flatMap(({ removed }) => removed),
    pending: pending.length,
    skipped,
  };
}

function nothing(skipped: AgentsSkip[]): PathResolution {
  const resolution = { files: [], changed: [], removed: [], pending: 0, skipped };
  return { resolution, reminder: renderResolution(resolution), record: undefined };
}
