// Tries every wall of the sandbox in a workspace.
import { findProgram } from "../programs/index.ts";
import { createSandbox, type SandboxOptions, type SandboxState } from "../sandbox/index.ts";
import { createScene, type TrialResult } from "./trial.ts";
import { trialsFor } from "./trials.ts";

export interface SandboxCheck {
  readonly state: SandboxState;
  readonly protections: readonly (TrialResult & { readonly name: string })[];
  readonly programs: readonly {
    readonly name: string;
    readonly path: string | undefined;
    readonly neededFor: string;
  }[];
}

/** @effects commands in the sandbox, canaries outside it; all are taken away again */
export async function checkSandbox(options: SandboxOptions): Promise<SandboxCheck> {
  const sandbox = createSandbox(options);
  const state = await sandbox.state();
  const programs = await usedPrograms(options);
  if (!state.inForce) return { state, protections: [], programs };
  try {
    const scene = await createScene(options, sandbox);
    const protections = [];
    for (const trial of trialsFor(options.platform)) {
      protections.push({ name: trial.name, ...(await trial.run(scene)) });
    }
    return { state, protections, programs };
  } finally {
    await sandbox.dispose();
  }
}

async function usedPrograms({ platform, workspace, env }: SandboxOptions): Promise<SandboxCheck["programs"]> {
  const used =
    platform === "darwin"
      ? [{ name: "sandbox-exec", neededFor: "the sandbox" }]
      : [
          { name: "bwrap", neededFor: "the sandbox" },
          { name: "socat", neededFor: "granted hosts" },
        ];
  return Promise.all(
    used.map(async ({ name, neededFor }) => ({
      name,
      path: await findProgram(name, { workspace, path: env.PATH }),
      neededFor,
    })),
  );
}
