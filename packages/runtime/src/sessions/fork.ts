// A copy of a session, from which both go their own ways.
import { join } from "node:path";
import { adoptBlobs, type Disk, openBlobs } from "@codelia/storage";
import type { RuntimeEnvironment } from "../environment.ts";
import type { Project } from "../project/index.ts";
import { newSessionId, repositoryFolder } from "./places.ts";
import { readRecords, readStart } from "./read-records.ts";
import { createSession, openSession, type ResumedSession } from "./session-files.ts";

/**
 * Records keep their numbers, since some name others by them. What the original cannot give (a damaged or unknown end)
 * is left out, and said.
 * @effects a new session in this project; the original is only read
 * @error  SessionError, StorageError
 */
export async function forkSession(
  environment: RuntimeEnvironment,
  original: string,
  { codeliaHome, trust, cwd, root }: Project,
): Promise<ResumedSession> {
  const { disk, now, version } = environment;
  // The copy belongs to whoever made it, not to a flow.
  const { flow: _, ...start } = await readStart(disk, original);
  // Its writer may be at work: what is there now is copied, so that every blob it names is there too.
  const end = await lastReadable(disk, original);
  const copy = await createSession(environment, repositoryFolder(codeliaHome, trust.identity), {
    ...start,
    id: newSessionId(now()),
    program: version,
    cwd,
    root: root.path,
    repository: trust.identity,
    forkedFrom: { id: start.id, seq: end.seq },
  });
  try {
    await adoptBlobs(openBlobs(join(original, "blobs"), disk), copy.blobs, disk);
    for await (const { seq, record } of readRecords(disk, original)) {
      if (seq > end.seq) break;
      if (seq > 1) await copy.log.append(record);
    }
    await copy.log.flush();
  } finally {
    await copy.close();
  }
  const opened = await openSession(environment, copy.directory);
  if (end.isWhole) return opened;
  const lost = `The copy of ${start.id} ends with record ${end.seq}: what follows there cannot be read.`;
  return { ...opened, notices: [...opened.notices, lost] };
}

async function lastReadable(disk: Disk, directory: string): Promise<{ seq: number; isWhole: boolean }> {
  const reading = readRecords(disk, directory);
  let seq = 0;
  let next = await reading.next();
  for (; !next.done; next = await reading.next()) seq = next.value.seq;
  return { seq, isWhole: next.value.outcome === "whole" };
}
