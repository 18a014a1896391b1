// `doctor.check`: looks at everything that a run needs, for real, and says what is wrong and how to mend it.
import type { Params, Result } from "@codelia/protocol";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { type DoctorFinding, problem } from "./finding.ts";
import { checkHome } from "./home.ts";
import { checkModels } from "./models.ts";
import { checkPrograms } from "./programs.ts";
import { checkTrust, openDespiteFaults } from "./project.ts";
import { checkSandboxState } from "./sandbox.ts";
import { checkVersions } from "./versions.ts";

/**
 * @input  cwd: the directory whose project is looked at
 * @output a finding a thing that was looked at; one that is broken does not keep the others from being looked at
 * @effects asks each configured provider once; starts the sandbox; writes a file into Codelia's home and removes it;
 *          starts each `codelia` on the PATH with --version
 * @error  ProtocolError when the directory is not there
 */
export async function checkHealth(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd }: Params<"doctor.check">,
): Promise<Result<"doctor.check">> {
  const { project, findings: config } = await openDespiteFaults(environment, options, cwd);
  const [program, home, sandbox, programs, models] = await Promise.all([
    guarded("program", () => checkVersions(environment, project)),
    guarded("home", () => checkHome(environment, project)),
    guarded("sandbox", () => checkSandboxState(environment, project)),
    guarded("bash", () => checkPrograms(environment, project)),
    guarded("model", () => checkModels(environment, project)),
  ]);
  const all = [...program, ...home, ...config, checkTrust(project), ...sandbox, ...programs, ...models];
  return {
    version: environment.version,
    healthy: all.every(({ level }) => level !== "problem"),
    findings: all,
  };
}

/** A check that fails itself is a finding too: the machine is then odder than the check could think of. */
async function guarded(
  about: DoctorFinding["about"],
  check: () => Promise<DoctorFinding[]>,
): Promise<DoctorFinding[]> {
  try {
    return await check();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      problem(about, `this could not be checked: ${reason}`, "Mend what the message names, and try again."),
    ];
  }
}
