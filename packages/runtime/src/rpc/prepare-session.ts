// `session.prepare`: an id for a session that begins with its first prompt.
import type { Params, Result } from "@codelia/protocol";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { openProject, projectNotices, requireTrust } from "../project/index.ts";
import { newSessionId } from "../sessions/index.ts";

/**
 * @effects none: an editor opens sessions that nobody says anything in
 * @error  ProtocolError `untrusted`, `not_found`, `invalid_config`
 */
export async function prepareSession(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd }: Params<"session.prepare">,
): Promise<Result<"session.prepare">> {
  const project = await openProject(environment, options, cwd);
  requireTrust(project.trust, project.root.path);
  return {
    id: newSessionId(environment.now()),
    root: project.root.path,
    notices: projectNotices(project),
  };
}
