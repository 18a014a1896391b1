// Which file speaks for a directory.
import { basename, join } from "node:path";
import type { AgentsFileKind, AgentsSkip, FileStat, FileSystem } from "@codelia/shared-types";
import { errorCode } from "@codelia/shared-types";
import { isInside } from "./chain.ts";
import { explainSystemError } from "./error.ts";

export interface CandidateName {
  readonly name: string;
  readonly kind: AgentsFileKind;
}

/** A regular file, after following links. */
export interface Candidate {
  readonly path: string;
  readonly kind: AgentsFileKind;
  /** Of the file itself, behind all links. */
  readonly stat: FileStat;
  readonly isLink: boolean;
}

export interface DirectoryProbe {
  readonly directory: string;
  /** In order of precedence; the first that may be loaded wins. */
  readonly candidates: readonly Candidate[];
  readonly skipped: readonly AgentsSkip[];
}

/** The names to try in each directory, in order of precedence. */
export function candidateNames(fallbackFilenames: readonly string[]): CandidateName[] {
  const names: CandidateName[] = [
    { name: "AGENTS.override.md", kind: "override" },
    { name: "AGENTS.md", kind: "standard" },
  ];
  for (const name of fallbackFilenames) {
    if (names.every((known) => known.name !== name)) names.push({ name, kind: "fallback" });
  }
  return names;
}

/**
 * Looks at one directory: one `lstat` a name, one `stat` more for a link, nothing is opened or listed.
 * @error what `lstat` and `stat` throw, except a link that leads to itself (a skip)
 */
export async function probeDirectory(
  fs: FileSystem,
  directory: string,
  names: readonly CandidateName[],
): Promise<DirectoryProbe> {
  const looks = await Promise.all(names.map((name) => lookAt(fs, directory, name)));
  const candidates: Candidate[] = [];
  const skipped: AgentsSkip[] = [];
  for (const look of looks) {
    if (look === undefined) continue;
    if ("stat" in look) candidates.push(look);
    else skipped.push(look);
  }
  return { directory, candidates, skipped };
}

async function lookAt(
  fs: FileSystem,
  directory: string,
  { name, kind }: CandidateName,
): Promise<Candidate | AgentsSkip | undefined> {
  const path = join(directory, name);
  try {
    const own = await fs.lstat(path);
    if (own === undefined) return undefined;
    const isLink = own.kind === "link";
    const stat = isLink ? await fs.stat(path) : own;
    if (stat === undefined) return { path, reason: "dangling_link" };
    return stat.kind === "file" ? { path, kind, stat, isLink } : { path, reason: "not_a_file" };
  } catch (error) {
    if (errorCode(error) === "ELOOP") return { path, reason: "cyclic_link" };
    throw new ProbeFailure(path, error);
  }
}

/** A probe that failed, with the path it failed at. */
export class ProbeFailure extends Error {
  override readonly name = "ProbeFailure";
  readonly path: string;
  constructor(path: string, cause: unknown) {
    super(explainSystemError(cause), { cause });
    this.path = path;
  }
}

export type Admission = { readonly realPath: string } | AgentsSkip;

/**
 * Decides whether a candidate may be loaded: its real file must lie inside the real root, where there is one. A
 * directory that the user entered through a link (part of the working directory's path) counts as inside too.
 */
export async function admit(
  fs: FileSystem,
  candidate: Candidate,
  realRoot: string | undefined,
  enteredDirectory: string | undefined,
): Promise<Admission> {
  const { path } = candidate;
  const realPath = await fs.realPath(path);
  if (realPath === undefined) return { path, reason: "vanished" };
  if (realRoot !== undefined && !isInside(realPath, realRoot)) {
    const entered = enteredDirectory === undefined ? undefined : await fs.realPath(enteredDirectory);
    if (entered === undefined || !isInside(realPath, entered))
      return { path, reason: "outside_root", detail: realPath };
  }
  const name = basename(path);
  const realName = basename(realPath);
  // A file system that ignores case finds `agents.md` under the name `AGENTS.md`. A link's target may have any name.
  if (!candidate.isLink && realName !== name && realName.toLowerCase() === name.toLowerCase()) {
    return { path, reason: "case_mismatch", detail: realName };
  }
  return { realPath };
}

export interface Winner {
  readonly candidate: Candidate;
  readonly realPath: string;
}

/** The file that speaks for a directory the user entered, and everything that was passed over. */
export async function chooseWinner(
  fs: FileSystem,
  probe: DirectoryProbe,
  realRoot: string | undefined,
): Promise<{ winner: Winner | undefined; skipped: AgentsSkip[] }> {
  const skipped = [...probe.skipped];
  let winner: Winner | undefined;
  for (const candidate of probe.candidates) {
    if (winner !== undefined) {
      skipped.push({ path: candidate.path, reason: "shadowed", detail: winner.candidate.path });
      continue;
    }
    const admission = await admit(fs, candidate, realRoot, probe.directory);
    if ("reason" in admission) skipped.push(admission);
    else winner = { candidate, realPath: admission.realPath };
  }
  return { winner, skipped };
}
