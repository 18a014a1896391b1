// A copy of the example project in a temporary directory, for an agent to work in.
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Result } from "@codelia/protocol";
import type { RuntimeEnvironment } from "../environment.ts";
import { probeSandbox } from "../sandbox/index.ts";
import example from "./example.json";
import script from "./script.json";

/**
 * @output where the copy is, what to ask, which model answers, and why there is no sandbox where there is none
 * @effects a new directory that stays, so that the user can look at the result
 */
export async function prepareDemo({ env, executable }: RuntimeEnvironment): Promise<Result<"demo.prepare">> {
  const folder = mkdtempSync(join(tmpdir(), "codelia-demo-"));
  for (const [name, content] of Object.entries(example)) write(join(folder, "larch", name), content);
  const scriptFile = join(folder, "script.json");
  write(scriptFile, JSON.stringify(script));
  // The executable is Bun too when it is told so; the example's tests need nothing else.
  const bun = join(folder, "bin/bun");
  write(bun, `#!/bin/sh\nBUN_BE_BUN=1 exec "${executable}" "$@"\n`);
  chmodSync(bun, 0o755);
  const { platform } = process;
  const probe = await probeSandbox({ platform, workspace: join(folder, "larch"), path: env.PATH });
  return {
    directory: join(folder, "larch/services/billing"),
    prompt: "One test fails. Find out why and fix it.",
    model: `scripted/${scriptFile}`,
    env: { PATH: `${join(folder, "bin")}:${env.PATH ?? ""}` },
    ...(probe.works ? {} : { no_sandbox: `${probe.reason}. ${probe.fix}` }),
  };
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
