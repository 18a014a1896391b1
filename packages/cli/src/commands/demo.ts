// codelia demo

import { visibleText } from "@codelia/shared-types";
import { parseCommand } from "../arguments.ts";
import { descriptions } from "../descriptions/index.ts";
import type { CliIo } from "../io.ts";
import { UsageError } from "../usage.ts";
import { followRun } from "./follow-run.ts";

const command = "demo";

const withoutSandbox = { written: "codelia demo", key: "sandbox.enabled", value: "off" };

export async function demoCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, descriptions.demo.options);
  if (positionals.length > 0) throw new UsageError(`unexpected argument '${positionals[0]}'`, command);
  const client = await io.connect({ settings: [], trust: true });
  const { directory, prompt, model, env, no_sandbox } = await client.call("demo.prepare", {});
  const json = values.json ?? false;
  if (!json) io.stderr.write(`A copy of the example project is in ${directory}\n> ${prompt}\n\n`);
  // The demo's commands are its own and run in a copy: the one case in which a missing sandbox need not stop them.
  const runner =
    no_sandbox === undefined ? client : await io.connect({ settings: [withoutSandbox], trust: true });
  if (no_sandbox !== undefined) io.stderr.write(`There is no sandbox here: ${visibleText(no_sandbox)}\n`);
  const params = { cwd: directory, prompt, model, env, images: [], approval: "full" as const, compact: true };
  return followRun(runner, params, io, { json });
}
