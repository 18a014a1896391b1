// What changed around a session since its last turn.
import { dirname } from "node:path";
import type { AgentsRecord } from "@codelia/shared-types";
import { type Assessment, DirectoryAssessor, knownDirectories } from "./assessment.ts";
import { candidateNames } from "./candidates.ts";
import { directoriesBetween, isInside } from "./chain.ts";
import type { AgentsState } from "./ledger.ts";
import { renderResumeDiff } from "./rendering.ts";
import { describe, selectNews } from "./resolver.ts";
import { type ScopeOptions, Scopes } from "./scope.ts";

export interface ResumeOptions extends ScopeOptions {
  /** The state folded from the session's records. */
  readonly previous: AgentsState;
  readonly cwd: string;
  readonly root: string;
}

export interface ResumeDiff {
  readonly reminder: string;
  readonly record: AgentsRecord;
}

/**
 * @output the note and its record; `undefined` when nothing changed
 * @effects stats the known files' directories and the chain root→cwd
 */
export async function diffForResume(options: ResumeOptions): Promise<ResumeDiff | undefined> {
  const { settings, previous, cwd, root } = options;
  const markers = settings.root.markers;
  const chain = directoriesBetween(root, cwd);
  const assessments = settings.enabled ? await assessAll(options, chain) : [];
  const selection = selectNews(assessments, settings.resolver.maxFilesPerResolve);
  const resolution = describe(selection, assessments, []);
  const isMoved = previous.cwd !== cwd || previous.root !== root || !isSameList(previous.markers, markers);
  if (!isMoved && resolution.files.length === 0 && resolution.removed.length === 0) return undefined;

  const heldBack = new Set(selection.pending.map((file) => file && dirname(file.path)));
  return {
    reminder: renderResumeDiff({
      cwd: [previous.cwd, cwd],
      root: [previous.root, root],
      markers: [previous.markers, markers],
      resolution,
    }),
    record: {
      type: "agents.resume",
      cwd,
      root,
      markers: [...markers],
      coveredDirs: chain.filter(
        (directory) => !previous.coveredDirs.has(directory) && !heldBack.has(directory),
      ),
      presented: selection.chosen.map(({ path, version }) => ({ path, version })),
      removed: resolution.removed.map(({ path }) => path),
      reported: [],
    },
  };
}

/** Known files elsewhere first, then the chain, so that the chain counts as nearest. */
async function assessAll(options: ResumeOptions, chain: readonly string[]): Promise<Assessment[]> {
  const { fs, settings, codeliaHome, previous, cwd, root } = options;
  const project = new DirectoryAssessor(fs, candidateNames(settings.fallbackFilenames));
  const home = new DirectoryAssessor(fs, candidateNames([]));
  const scopes = new Scopes(options);
  const isEntered = (directory: string) => isInside(cwd, directory) || isInside(previous.cwd, directory);
  const elsewhere = [...knownDirectories(previous)]
    .filter((directory) => !chain.includes(directory))
    .toSorted();
  return Promise.all(
    [...elsewhere, ...chain].map(async (directory) => {
      if (directory === codeliaHome) {
        return home.assess(directory, previous, {
          root: directory,
          realRoot: undefined,
          trusted: true,
          isEntered,
        });
      }
      const scope = await scopes.of(directory, root);
      return project.assess(directory, previous, { ...scope, isEntered });
    }),
  );
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
