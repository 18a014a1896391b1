// codelia config
import { visibleJson } from "@codelia/shared-types";
import { chosenDirectory, parseCommand, settingFlags } from "../arguments.ts";
import { descriptions } from "../descriptions/index.ts";
import { type CliIo, exitCode } from "../io.ts";
import { renderConfig } from "../render/index.ts";
import { UsageError } from "../usage.ts";

const command = "config";

export async function configCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, descriptions.config.options);
  if (positionals.length > 0) throw new UsageError(`unexpected argument '${positionals[0]}'`, command);
  const cwd = chosenDirectory(values.directory, io.workingDirectory);
  const client = await io.connect({
    settings: settingFlags(command, values.config),
    trust: values.trust ?? false,
  });
  const config = await client.call("config.inspect", { cwd });
  io.stdout.write(values.json ? `${visibleJson(config)}\n` : renderConfig(config));
  return exitCode.done;
}
