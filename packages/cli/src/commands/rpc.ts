// codelia rpc
import { parseCommand, settingFlags } from "../arguments.ts";
import { descriptions } from "../descriptions/index.ts";
import type { CliIo } from "../io.ts";
import { UsageError } from "../usage.ts";

const command = "rpc";

export async function rpcCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, descriptions.rpc.options);
  if (positionals.length > 0) throw new UsageError(`unexpected argument '${positionals[0]}'`, command);
  return await io.serve({
    settings: settingFlags(command, values.config),
    trust: values.trust ?? false,
  });
}
