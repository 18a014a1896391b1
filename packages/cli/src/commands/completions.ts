// codelia completions
import { parseCommand } from "../arguments.ts";
import { completionScripts } from "../completions/index.ts";
import { descriptions } from "../descriptions/index.ts";
import { type CliIo, exitCode } from "../io.ts";
import { UsageError } from "../usage.ts";

const command = "completions";

export function completionsCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { positionals } = parseCommand(command, args, descriptions.completions.options);
  const [shell = "", unexpected] = positionals;
  const script = Object.hasOwn(completionScripts, shell) ? completionScripts[shell] : undefined;
  if (script === undefined || unexpected !== undefined) {
    throw new UsageError(`expected one of ${Object.keys(completionScripts).join(", ")}`, command);
  }
  io.stdout.write(script());
  return Promise.resolve(exitCode.done);
}
