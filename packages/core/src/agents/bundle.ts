// Loads the instructions of a session start: home, then root to working directory, in one message.
import type {
  AgentsBundle,
  AgentsFile,
  AgentsFileVersion,
  AgentsRecord,
  AgentsRoot,
  AgentsSettings,
  AgentsSkip,
  FileSystem,
} from "@codelia/shared-types";
import { neutraliseTags } from "../text/index.ts";
import {
  type CandidateName,
  candidateNames,
  chooseWinner,
  type DirectoryProbe,
  ProbeFailure,
  probeDirectory,
  type Winner,
} from "./candidates.ts";
import { directoriesBetween } from "./chain.ts";
import { type HomeInstructions, loadHomeInstructions, unreadable } from "./home.ts";
import { readInstructions } from "./reading.ts";
import { type Instructions, joinInstructions, renderSystemBundle, renderUserBundle } from "./rendering.ts";

export interface InitialLoad {
  readonly fs: FileSystem;
  readonly cwd: string;
  readonly root: AgentsRoot;
  readonly settings: AgentsSettings;
  readonly codeliaHome: string;
  /** Whether the user has trusted the project. Without it no project text is opened. */
  readonly trusted: boolean;
}

export interface InitialAgents {
  readonly bundle: AgentsBundle;
  /** The kept texts without wrapper, headers and notices. */
  readonly joined: string;
  /** What the ledger of the session starts from. */
  readonly record: AgentsRecord;
}

interface LoadedFile extends Instructions {
  readonly version: AgentsFileVersion;
}

/**
 * @output the bundle, frozen: its bytes are those of the session from now on
 * @effects reads only the winners of the chain and of home
 * @error  AgentsError unreadable: instructions are there and cannot be read
 */
export async function loadInitialAgents(load: InitialLoad): Promise<InitialAgents> {
  const { settings, cwd, root } = load;
  const loaded: LoadedFile[] = [];
  const skipped: AgentsSkip[] = [];
  let coveredDirs: string[] = [];

  if (settings.enabled) {
    if (settings.home.enabled) {
      const home = await loadHomeInstructions(load.fs, load.codeliaHome);
      skipped.push(...home.skipped);
      if (home.found !== undefined) loaded.push(homeFile(home.found));
    }
    const project = await loadProject(load, loaded);
    loaded.push(...project.loaded);
    skipped.push(...project.skipped);
    coveredDirs = project.coveredDirs;
  }

  const text = render(loaded, settings.initial.role, cwd);
  const bundle: AgentsBundle = {
    cwd,
    root,
    role: settings.initial.role,
    ...(text === undefined ? {} : { text }),
    files: loaded.map(({ file }) => Object.freeze(file)),
    skipped,
  };
  Object.freeze(bundle.files);
  Object.freeze(bundle.skipped);
  return {
    bundle: Object.freeze(bundle),
    joined: joinInstructions(loaded),
    record: {
      type: "agents.initial",
      cwd,
      root: root.path,
      markers: [...settings.root.markers],
      coveredDirs,
      presented: loaded.map(({ file, version }) => ({ path: file.path, version })),
      removed: [],
      reported: [],
    },
  };
}

function render(loaded: readonly Instructions[], role: "system" | "user", cwd: string): string | undefined {
  if (loaded.length === 0) return undefined;
  return role === "system" ? renderSystemBundle(loaded) : renderUserBundle(loaded, cwd);
}

interface ProjectLoad {
  readonly loaded: LoadedFile[];
  readonly skipped: AgentsSkip[];
  readonly coveredDirs: string[];
}

async function loadProject(load: InitialLoad, home: readonly LoadedFile[]): Promise<ProjectLoad> {
  const { fs, root, cwd, settings } = load;
  const directories = directoriesBetween(root.path, cwd);
  const probes = await probeAll(fs, directories, candidateNames(settings.fallbackFilenames));
  const unused = load.trusted ? (settings.initial.maxBytes === 0 ? "disabled" : undefined) : "untrusted";
  if (unused !== undefined) {
    const skipped = probes.flatMap(({ candidates }) =>
      candidates.map(({ path }): AgentsSkip => ({ path, reason: unused })),
    );
    return { loaded: [], skipped, coveredDirs: [] };
  }

  const realRoot = (await fs.realPath(root.path)) ?? root.path;
  const loaded: LoadedFile[] = [];
  const skipped: AgentsSkip[] = [];
  const budget = { bytes: settings.initial.maxBytes, files: settings.initial.maxFiles };
  const seen = new Map(home.map(({ file, version }) => [version.realPath, file.path]));
  for (const probe of probes) {
    const { winner, skipped: passedOver } = await chooseWinner(fs, probe, realRoot);
    skipped.push(...passedOver);
    if (winner === undefined) continue;
    const twin = seen.get(winner.realPath);
    if (twin !== undefined) {
      skipped.push({ path: winner.candidate.path, reason: "duplicate", detail: twin });
      continue;
    }
    const outcome = await readWinner(fs, winner, budget.files > 0 ? budget.bytes : 0);
    if ("reason" in outcome) {
      skipped.push(outcome);
      continue;
    }
    seen.set(winner.realPath, winner.candidate.path);
    loaded.push(outcome);
    budget.bytes -= outcome.file.keptBytes;
    budget.files -= 1;
  }
  return { loaded, skipped, coveredDirs: directories };
}

async function probeAll(
  fs: FileSystem,
  directories: readonly string[],
  names: readonly CandidateName[],
): Promise<DirectoryProbe[]> {
  try {
    return await Promise.all(directories.map((directory) => probeDirectory(fs, directory, names)));
  } catch (error) {
    if (error instanceof ProbeFailure) throw unreadable(error.path, error.cause);
    throw error;
  }
}

async function readWinner(
  fs: FileSystem,
  { candidate, realPath }: Winner,
  maxBytes: number,
): Promise<LoadedFile | AgentsSkip> {
  const { path, kind } = candidate;
  const reading = await readInstructions(fs, realPath, maxBytes).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (reading.outcome !== "text") return { path, reason: reading.outcome };
  return loadedFile(path, kind, reading);
}

function homeFile(home: HomeInstructions): LoadedFile {
  return loadedFile(home.path, "home", home);
}

function loadedFile(
  path: string,
  kind: AgentsFile["kind"],
  reading: Omit<HomeInstructions, "path">,
): LoadedFile {
  const { text, count } = neutraliseTags(reading.text);
  const { keptBytes, totalBytes, sha256, version } = reading;
  const status = keptBytes === totalBytes ? "whole" : keptBytes === 0 ? "omitted" : "cut";
  const file = {
    path,
    kind,
    status,
    totalBytes,
    keptBytes,
    sha256,
    mtimeMs: version.mtimeMs,
    neutralisedTags: count,
  } as const;
  return { file, text, version };
}
