// Where a text was said or seen, in the sessions of a repository or of all.
import { join } from "node:path";
import type { Result, TranscriptEntry } from "@codelia/protocol";
import {
  type Disk,
  holdsBytes,
  isBlobId,
  type JournalPosition,
  journalMayHold,
  openBlobs,
} from "@codelia/storage";
import { type FoundSession, findSessions, type SessionScope } from "./find.ts";
import { readTranscript } from "./history.ts";
import { problemIn, type SessionProblem } from "./listing.ts";
import { Needle } from "./needle.ts";
import { readStart } from "./read-records.ts";
import { isInUse } from "./summary.ts";

type Found = Result<"session.search">;
type Match = Found["matches"][number];

/** Names an output whose whole text is in a blob. */
const keptOutput = /"outputRef":"[0-9a-f]{32}"/g;

/**
 * The last used session first, one match a step. Journals are gone through in bounded memory; what no record of a
 * journal can hold is seen from its bytes.
 * @effects reads only; takes no lock
 * @error  StorageError when the sessions cannot be found; one that cannot be read is named
 */
export async function searchSessions(
  disk: Disk,
  scope: SessionScope,
  text: string,
  limit: number,
): Promise<Found> {
  const needle = new Needle(text);
  const matches: Match[] = [];
  const problems: SessionProblem[] = [];
  let searched = 0;
  for (const session of await findSessions(disk, scope)) {
    searched += 1;
    try {
      for await (const match of matchesIn(disk, session, needle, problems)) {
        if (matches.length >= limit) return { matches, more: true, searched, problems };
        matches.push(match);
      }
    } catch (error) {
      problems.push({ id: session.id, problem: problemIn(error) });
    }
  }
  return { matches, more: false, searched, problems };
}

async function* matchesIn(
  disk: Disk,
  { id, directory }: FoundSession,
  needle: Needle,
  problems: SessionProblem[],
): AsyncGenerator<Match> {
  if (!(await mayHold(disk, directory, needle))) return;
  const isRunning = await isInUse(disk, directory);
  const { title } = await readStart(disk, directory);
  let from: JournalPosition | undefined;
  do {
    const { entries, next, damage } = await readTranscript(disk, directory, { from, isRunning });
    for (const entry of entries) {
      const excerpt = await excerptOf(disk, directory, entry, needle);
      if (excerpt !== undefined) yield { id, title, seq: entry.seq, at: entry.at, type: entry.type, excerpt };
    }
    if (damage !== undefined) problems.push({ id, problem: damage });
    from = next;
  } while (from !== undefined);
}

async function mayHold(disk: Disk, directory: string, { bytes }: Needle): Promise<boolean> {
  return bytes === undefined || (await journalMayHold(directory, bytes, { elsewhere: [keptOutput], disk }));
}

async function excerptOf(
  disk: Disk,
  directory: string,
  entry: TranscriptEntry,
  needle: Needle,
): Promise<string | undefined> {
  for (const text of textsOf(entry)) {
    const excerpt = needle.excerptFrom(text);
    if (excerpt !== undefined) return excerpt;
  }
  const ref = entry.type === "tool" ? entry.output_ref : undefined;
  return ref === undefined ? undefined : await excerptOfOutput(disk, directory, ref, needle);
}

/** What was really said: our own words about it are not searched. */
function textsOf(entry: TranscriptEntry): string[] {
  switch (entry.type) {
    case "prompt":
      return [entry.text];
    case "answer":
      return [entry.text, entry.reasoning, ...entry.calls.map((call) => call.arguments)];
    case "call":
      return [entry.title];
    case "tool":
      return [entry.output];
    case "permission":
      return [entry.reason];
    case "note":
      return ["reminder", "compaction", "failure", "limit"].includes(entry.kind) ? [entry.text] : [];
  }
}

/** The whole output, line by line. That of one that is gone cannot be searched. */
async function excerptOfOutput(
  disk: Disk,
  directory: string,
  ref: string,
  needle: Needle,
): Promise<string | undefined> {
  const blobs = openBlobs(join(directory, "blobs"), disk);
  if (!isBlobId(ref) || !(await blobs.has(ref))) return undefined;
  if (needle.bytes !== undefined && !(await holdsBytes(blobs.pathOf(ref), needle.bytes, disk))) {
    return undefined;
  }
  for await (const { text } of blobs.lines(ref)) {
    const excerpt = needle.excerptFrom(text);
    if (excerpt !== undefined) return excerpt;
  }
  return undefined;
}
