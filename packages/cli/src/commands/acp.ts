// codelia acp
import { approvalMode, parseCommand, settingFlags } from "../arguments.ts";
import { descriptions } from "../descriptions/index.ts";
import { type CliIo, exitCode } from "../io.ts";
import { UsageError } from "../usage.ts";

const command = "acp";

const { options } = descriptions.acp;

export async function acpCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, options);
  if (positionals.length > 0) throw new UsageError(`unexpected argument '${positionals[0]}'`, command);
  const approval = approvalMode(command, values.approval);
  const client = await io.connect({ settings: settingFlags(command, values.config), trust: false });
  await io.serveEditor({ client, model: values.model, approval });
  return exitCode.done;
}
