// codelia doctor
import { visibleJson } from "@codelia/shared-types";
import { chosenDirectory, parseCommand, settingFlags } from "../arguments.ts";
import { descriptions } from "../descriptions/index.ts";
import { type CliIo, exitCode } from "../io.ts";
import { renderDoctor } from "../render/index.ts";
import { UsageError } from "../usage.ts";

const command = "doctor";

export async function doctorCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, descriptions.doctor.options);
  if (positionals.length > 0) throw new UsageError(`unexpected argument '${positionals[0]}'`, command);
  const cwd = chosenDirectory(values.directory, io.workingDirectory);
  const client = await io.connect({
    settings: settingFlags(command, values.config),
    trust: values.trust ?? false,
  });
  const result = await client.call("doctor.check", { cwd });
  io.stdout.write(values.json ? `${visibleJson(result)}\n` : renderDoctor(result));
  return result.healthy ? exitCode.done : exitCode.failed;
}
