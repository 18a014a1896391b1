// Opens the session that a run asks for: an old one, a copy of one, or the last one of this project.
import type { Params } from "@codelia/protocol";
import { visibleName } from "@codelia/shared-types";
import type { RuntimeEnvironment } from "../environment.ts";
import type { Project } from "../project/index.ts";
import { SessionError } from "./error.ts";
import { findSession, findSessions } from "./find.ts";
import { forkSession } from "./fork.ts";
import { readStart } from "./read-records.ts";
import { openSession, type ResumedSession } from "./session-files.ts";

type SessionChoice = Exclude<NonNullable<Params<"run.start">["session"]>, { how: "prepared" }>;

/** @error SessionError, StorageError */
export async function enterSession(
  environment: RuntimeEnvironment,
  project: Project,
  choice: SessionChoice,
): Promise<ResumedSession> {
  const { disk } = environment;
  const repository = project.trust.identity;
  if (choice.how === "continue") return openSession(environment, await lastSession(environment, project));
  const { directory } = await findSession(disk, project.codeliaHome, repository, choice.id);
  if (choice.how === "fork") return forkSession(environment, directory, project);
  await requireSameRepository(environment, directory, project);
  return openSession(environment, directory);
}

/**
 * A worktree goes on with its own last session, not with that of another.
 * @output the session's folder
 * @error  SessionError `not_found`
 */
export async function lastSession(
  { disk }: RuntimeEnvironment,
  { codeliaHome, trust, root }: Project,
): Promise<string> {
  const sessions = await findSessions(disk, { codeliaHome, repository: trust.identity });
  for (const { directory } of sessions) {
    const start = await readStart(disk, directory).catch(() => undefined);
    // What a flow said in one of its steps is not what the user would go on with.
    if (start?.root === root.path && start.flow === undefined) return directory;
  }
  throw new SessionError(
    "not_found",
    `${visibleName(root.path)}: there is no session here`,
    sessions.length === 0
      ? 'Start one with: codelia run "…"\nIf the repository was moved, its sessions are in codelia sessions list --all; a copy goes on: codelia run --fork ID'
      : "There are sessions of other worktrees: see codelia sessions list, and give an ID.",
  );
}

/** @error SessionError `other_repository` */
export async function requireSameRepository(
  { disk, fs }: RuntimeEnvironment,
  directory: string,
  { trust }: Project,
): Promise<void> {
  const { id, repository, root } = await readStart(disk, directory);
  if (repository === trust.identity) return;
  const isThere = (await fs.stat(repository).catch(() => undefined)) !== undefined;
  throw new SessionError(
    "other_repository",
    isThere
      ? `${id}: this session belongs to another repository, ${visibleName(root)}`
      : `${id}: this session's repository is no longer at ${visibleName(root)}`,
    isThere
      ? `Go on there with: codelia run -C ${visibleName(root)} --resume ${id}\nor here with a copy: codelia run --fork ${id}`
      : `If it was moved here, go on with a copy: codelia run --fork ${id}`,
  );
}
