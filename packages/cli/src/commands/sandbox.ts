// codelia sandbox
import { visibleJson } from "@codelia/shared-types";
import { chosenDirectory, parseCommand, settingFlags } from "../arguments.ts";
import { descriptions } from "../descriptions/index.ts";
import { type CliIo, exitCode } from "../io.ts";
import { renderSandbox } from "../render/index.ts";
import { UsageError } from "../usage.ts";

const command = "sandbox";

export async function sandboxCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, descriptions.sandbox.options);
  const [action, unexpected] = positionals;
  if (action !== "check") throw new UsageError("expected: codelia sandbox check", command);
  if (unexpected !== undefined) throw new UsageError(`unexpected argument '${unexpected}'`, command);
  const cwd = chosenDirectory(values.directory, io.workingDirectory);
  const client = await io.connect({
    settings: settingFlags(command, values.config),
    trust: values.trust ?? false,
  });
  const check = await client.call("sandbox.check", { cwd });
  io.stdout.write(values.json ? `${visibleJson(check)}\n` : renderSandbox(check));
  return check.in_force ? exitCode.done : exitCode.failed;
}
