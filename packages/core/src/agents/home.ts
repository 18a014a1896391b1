// The user's own instructions, which precede every project's.
import type { AgentsFileVersion, AgentsSkip, FileSystem } from "@codelia/shared-types";
import { type Candidate, candidateNames, ProbeFailure, probeDirectory } from "./candidates.ts";
import { AgentsError, explainSystemError } from "./error.ts";
import { readInstructions } from "./reading.ts";

// Home text has no budget of its own, but a session must not be drowned by a log file with the wrong name.
export const homeMaxBytes = 1024 * 1024;

export interface HomeInstructions {
  readonly path: string;
  readonly text: string;
  readonly totalBytes: number;
  readonly keptBytes: number;
  readonly sha256: string;
  readonly version: AgentsFileVersion;
}

export interface HomeLoad {
  readonly found: HomeInstructions | undefined;
  readonly skipped: AgentsSkip[];
}

/** The first of AGENTS.override.md and AGENTS.md that is not blank, trimmed. Links may lead anywhere. */
export async function loadHomeInstructions(fs: FileSystem, codeliaHome: string): Promise<HomeLoad> {
  const skipped: AgentsSkip[] = [];
  const probe = await probeHome(fs, codeliaHome);
  skipped.push(...probe.skipped);
  let found: HomeInstructions | undefined;
  for (const candidate of probe.candidates) {
    if (found !== undefined) {
      skipped.push({ path: candidate.path, reason: "shadowed", detail: found.path });
      continue;
    }
    const outcome = await readHome(fs, candidate);
    if ("reason" in outcome) skipped.push(outcome);
    else found = outcome;
  }
  return { found, skipped };
}

async function probeHome(fs: FileSystem, codeliaHome: string) {
  try {
    return await probeDirectory(fs, codeliaHome, candidateNames([]));
  } catch (error) {
    if (error instanceof ProbeFailure) throw unreadable(error.path, error.cause);
    throw error;
  }
}

async function readHome(fs: FileSystem, { path }: Candidate): Promise<HomeInstructions | AgentsSkip> {
  try {
    const realPath = await fs.realPath(path);
    if (realPath === undefined) return { path, reason: "vanished" };
    const reading = await readInstructions(fs, realPath, homeMaxBytes);
    if (reading.outcome !== "text") return { path, reason: reading.outcome };
    return { ...reading, path, text: reading.text.trim() };
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The error that keeps a session from starting without instructions that are there. */
export function unreadable(path: string, cause: unknown): AgentsError {
  return new AgentsError(
    "unreadable",
    path,
    `cannot read these instructions: ${explainSystemError(cause)}`,
    "Make the file readable or remove it; a session does not start without instructions that are there.",
    cause,
  );
}
