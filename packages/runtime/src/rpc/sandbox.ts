// `sandbox.check`.
import type { Params, Result } from "@codelia/protocol";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { openProject } from "../project/index.ts";
import { sandboxOptions } from "../sandbox/index.ts";
import { checkSandbox } from "../sandbox-check/index.ts";

export async function checkSandboxHere(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd }: Params<"sandbox.check">,
): Promise<Result<"sandbox.check">> {
  const project = await openProject(environment, options, cwd);
  const { enabled, network } = project.settings.values.sandbox;
  const { state, protections, programs } = await checkSandbox(sandboxOptions(environment, project, []));
  return {
    workspace: project.root.path,
    enabled,
    in_force: state.inForce && protections.every(({ holds }) => holds),
    ...(state.inForce ? { kind: state.kind } : { reason: state.reason, fix: state.fix }),
    protections: [...protections],
    programs: programs.map(({ name, path, neededFor }) => ({
      name,
      ...(path === undefined ? {} : { path }),
      needed_for: neededFor,
    })),
    allow_hosts: network.allowHosts,
  };
}
