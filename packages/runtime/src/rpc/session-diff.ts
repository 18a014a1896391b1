// `session.diff`: what a session's tools changed, against what the files were before it.
import type { Params, Result } from "@codelia/protocol";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { openProject } from "../project/index.ts";
import { findSession, lastSession } from "../sessions/index.ts";
import { sessionChanges } from "../undo/index.ts";

export async function diffSession(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, id }: Params<"session.diff">,
): Promise<Result<"session.diff">> {
  const project = await openProject(environment, options, cwd);
  const directory =
    id === undefined
      ? await lastSession(environment, project)
      : (await findSession(environment.disk, project.codeliaHome, project.trust.identity, id)).directory;
  const { files, commands, notices, ...rest } = await sessionChanges(environment, directory, project.cwd);
  return { ...rest, files: [...files], commands: [...commands], notices: [...notices] };
}
