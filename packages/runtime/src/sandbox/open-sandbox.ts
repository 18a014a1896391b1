// Opens the sandbox of a workspace: what the machine has, and whether it can hold what is promised there.
import { findProgram } from "../programs/index.ts";
import { createBubblewrap } from "./bubblewrap.ts";
import { type PolicyOptions, sandboxPaths } from "./policy.ts";
import { type Probe, probeSandbox } from "./probe.ts";
import { noSandbox, SandboxError, type SandboxState, type Wall } from "./sandbox.ts";
import { createSeatbelt } from "./seatbelt.ts";

export interface SandboxOptions extends PolicyOptions {
  readonly platform: NodeJS.Platform;
}

export interface OpenedSandbox {
  readonly state: SandboxState;
  readonly wall: Wall;
}

/** @effects starts the sandbox once with `true`, unless this process has done so before */
export async function openSandbox(options: SandboxOptions): Promise<OpenedSandbox> {
  const { workspace, env, platform } = options;
  const places = { workspace, path: env.PATH };
  const probe = await probeSandbox({ ...places, platform });
  if (!probe.works) return missing(probe.reason, probe.fix);
  const socat = await findProgram("socat", places);
  const problem = await unprotectable(options, probe, socat);
  if (problem !== undefined) return problem;
  const wall =
    probe.kind === "bubblewrap" ? createBubblewrap(options, probe, socat) : createSeatbelt(options, probe);
  return { state: { inForce: true, kind: probe.kind }, wall };
}

/** What speaks against it in this workspace, although the machine could. */
async function unprotectable(
  options: SandboxOptions,
  { kind }: Extract<Probe, { works: true }>,
  socat: string | undefined,
): Promise<OpenedSandbox | undefined> {
  const { settings, workspace, env } = options;
  if (kind === "bubblewrap" && settings.network.allowHosts.length > 0 && socat === undefined) {
    return missing(
      "hosts are granted and socat, which leads to them, is not installed",
      "Debian, Ubuntu: apt-get install socat. Or empty sandbox.network.allowHosts.",
    );
  }
  try {
    await sandboxPaths(options, { cwd: workspace, path: env.PATH }, []);
    return undefined;
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    return missing(
      error.message,
      "Start Codelia in a directory of its own, with protected names as plain files.",
    );
  }
}

function missing(reason: string, fix: string): OpenedSandbox {
  return {
    state: { inForce: false, why: "missing", reason, fix },
    wall: noSandbox(reason),
  };
}
