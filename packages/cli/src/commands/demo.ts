// codelia demo
import { commonOptions, parseCommand } from "../arguments.ts";
import type { CliIo } from "../io.ts";
import { UsageError } from "../usage.ts";
import { followRun } from "./follow-run.ts";

const command = "demo";

export async function demoCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, {
    json: commonOptions.json,
    help: commonOptions.help,
  });
  if (positionals.length > 0) throw new UsageError(`unexpected argument '${positionals[0]}'`, command);
  const client = await io.connect({ settings: [], trust: true });
  const { directory, prompt, model, env } = await client.call("demo.prepare", {});
  const json = values.json ?? false;
  if (!json) io.stderr.write(`A copy of the example project is in ${directory}\n> ${prompt}\n\n`);
  const params = { cwd: directory, prompt, model, env, images: [], approval: "full" as const };
  return followRun(client, params, io, { json });
}
