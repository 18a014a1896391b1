// One wall, tried for real: a script that would break through it, and a look from outside whether it did.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { delimiter } from "node:path";
import { findProgram, foldersOutside, pathFolders } from "../programs/index.ts";
import { type Sandbox, SandboxError, type SandboxOptions } from "../sandbox/index.ts";

export interface Trial {
  readonly name: string;
  /** @effects canaries outside, which it takes away again */
  run(scene: TrialScene): Promise<TrialResult>;
}

export interface TrialResult {
  readonly holds: boolean;
  readonly how: string;
}

export interface TrialScene {
  readonly options: SandboxOptions;
  /** Differs from check to check. */
  readonly mark: string;
  /**
   * Runs a script inside, in the workspace.
   * @output what it printed; undefined when something of it was still running seconds after its end
   */
  readonly inside: (script: string) => Promise<string | undefined>;
}

const limit = 20_000;

export async function createScene(options: SandboxOptions, sandbox: Sandbox): Promise<TrialScene> {
  const { workspace, env } = options;
  const bash = await findProgram("bash", { workspace, path: env.PATH });
  if (bash === undefined) throw new SandboxError("bash is not installed");
  // The check also runs before trust: none of its programs may come from the workspace.
  const path = (await foldersOutside(workspace, pathFolders(env.PATH))).join(delimiter);
  return {
    options,
    mark: randomBytes(6).toString("hex"),
    async inside(script) {
      const {
        file,
        args,
        cwd,
        env: inner,
      } = await sandbox.wrap({
        file: bash,
        args: ["-p", "-c", script],
        cwd: workspace,
        env: { PATH: path || "/usr/bin:/bin", LC_ALL: "C" },
      });
      return new Promise((resolve) => {
        execFile(
          file,
          args,
          { cwd, env: { ...inner }, timeout: limit, encoding: "utf8" },
          (error, stdout) => {
            resolve(error?.killed ? undefined : stdout);
          },
        );
      });
    },
  };
}
