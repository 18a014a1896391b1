// Where sessions are kept: one folder a repository, one folder a session in it.
import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";

/** Ids sort by their time; the random part keeps two of the same second apart. */
const idPattern = /^\d{8}T\d{6}-[0-9a-f]{8}$/;

export function isSessionId(text: string): boolean {
  return idPattern.test(text);
}

export function newSessionId(now: Date): string {
  const time = now.toISOString().replaceAll(/[-:]|\.\d+Z/g, "");
  return `${time}-${randomBytes(4).toString("hex")}`;
}

export function sessionsFolder(codeliaHome: string): string {
  return join(codeliaHome, "sessions");
}

/** Sessions belong to the repository, so all its worktrees share a folder. */
export function repositoryFolder(codeliaHome: string, identity: string): string {
  return join(sessionsFolder(codeliaHome), repositoryName(identity));
}

/** A folder's name for what belongs to a repository. */
export function repositoryName(identity: string): string {
  return createHash("sha256").update(identity).digest("hex").slice(0, 16);
}
