// Whether commands are held by a sandbox here: each wall is tried, as `codelia sandbox check` does.
import type { RuntimeEnvironment } from "../environment.ts";
import type { Project } from "../project/index.ts";
import { sandboxOptions } from "../sandbox/index.ts";
import { checkSandbox } from "../sandbox-check/index.ts";
import { type DoctorFinding, fine, problem, warning } from "./finding.ts";

export async function checkSandboxState(
  environment: RuntimeEnvironment,
  project: Project,
): Promise<DoctorFinding[]> {
  const { enabled, network } = project.settings.values.sandbox;
  if (enabled === "off") {
    return [
      warning(
        "sandbox",
        "sandbox.enabled is off: commands run with all your rights",
        "Take sandbox.enabled out of your settings (codelia config shows where it was set).",
      ),
    ];
  }
  const { state, protections, programs } = await checkSandbox(sandboxOptions(environment, project, []));
  if (!state.inForce) {
    const consequence = enabled === "require" ? "no command runs" : "every command asks";
    return [problem("sandbox", `no sandbox, so ${consequence}: ${state.reason}`, state.fix)];
  }
  const broken = protections.filter(({ holds }) => !holds);
  if (broken.length > 0) {
    return broken.map(({ name, how }) =>
      problem(
        "sandbox",
        `${name}: this wall did not hold: ${how}`,
        "See docs/sandbox.md, and: codelia sandbox check",
      ),
    );
  }
  const missing = programs.filter(({ path }) => path === undefined);
  return [
    fine("sandbox", `in force (${state.kind}), ${protections.length} walls tried`),
    ...missing.map(({ name, neededFor }) =>
      network.allowHosts.length > 0
        ? problem("sandbox", `${name} is not installed, and needed for ${neededFor}`, `Install ${name}.`)
        : warning("sandbox", `${name} is not installed, and needed for ${neededFor}`, `Install ${name}.`),
    ),
  ];
}
