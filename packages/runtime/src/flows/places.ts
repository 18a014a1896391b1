// Where runs of flows are kept, and which sessions belong to them.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { newSessionId, repositoryName } from "../sessions/index.ts";

export function flowsFolder(codeliaHome: string): string {
  return join(codeliaHome, "flows");
}

/** One folder a run, in that of its repository. */
export function runsFolder(codeliaHome: string, identity: string): string {
  return join(flowsFolder(codeliaHome), repositoryName(identity));
}

/** Of the form of session ids: they sort by time, and can be given in part. */
export function newRunId(now: Date): string {
  return newSessionId(now);
}

/** The session that an effect begins. It follows from the run, so that it is found again after a crash. */
export function sessionOfEffect(run: string, effect: number): string {
  const [time] = run.split("-");
  const digest = createHash("sha256").update(`${run}/${effect}`).digest("hex");
  return `${time}-${digest.slice(0, 8)}`;
}
