// What a project's sandbox is made from.
import type { RuntimeEnvironment } from "../environment.ts";
import type { Project } from "../project/index.ts";
import type { SandboxOptions } from "./open-sandbox.ts";

/** @input readable: paths that commands may read although they lie in Codelia's home */
export function sandboxOptions(
  { fs, env, userHome, executable }: RuntimeEnvironment,
  { root, settings, codeliaHome }: Project,
  readable: readonly string[],
): SandboxOptions {
  return {
    fs,
    settings: settings.values.sandbox,
    workspace: root.path,
    userHome,
    codeliaHome,
    env,
    readable,
    executable,
    isRoot: process.getuid?.() === 0,
    platform: process.platform,
  };
}
