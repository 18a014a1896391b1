// `session.undo`.
import type { Params, Result } from "@codelia/protocol";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { openProject } from "../project/index.ts";
import { findSession, lastSession } from "../sessions/index.ts";
import { previewUndo, undoLastPrompt } from "../undo/index.ts";

export async function undoSession(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, id, dry_run }: Params<"session.undo">,
): Promise<Result<"session.undo">> {
  const project = await openProject(environment, options, cwd);
  const directory =
    id === undefined
      ? await lastSession(environment, project)
      : (await findSession(environment.disk, project.codeliaHome, project.trust.identity, id)).directory;
  const { files, commands, notices, ...rest } = await (dry_run ? previewUndo : undoLastPrompt)(
    environment,
    directory,
  );
  return { ...rest, files: [...files], commands: [...commands], notices: [...notices] };
}
