// codelia without a command: the terminal UI.
import { approvalMode, chosenDirectory, parseCommand, settingFlags } from "../arguments.ts";
import { open } from "../descriptions/index.ts";
import type { CliIo } from "../io.ts";
import { UsageError } from "../usage.ts";

const command = "open";

export async function openCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, open.options);
  const [extra] = positionals;
  if (extra !== undefined) {
    throw new UsageError(`unexpected argument '${extra}': a prompt is given to codelia run`, command);
  }
  if (values.resume !== undefined && values.continue) {
    throw new UsageError("--resume and --continue exclude each other", command);
  }
  if (!io.stdin.isTTY || !io.stdout.isTTY) {
    throw new UsageError("this needs a terminal; without one, give the prompt to codelia run", command);
  }
  const { resume: id } = values;
  const session = id === undefined ? undefined : { how: "resume" as const, id };
  return await io.openTerminalUi({
    cwd: chosenDirectory(values.directory, io.workingDirectory),
    settings: settingFlags(command, values.config),
    trust: values.trust ?? false,
    approval: approvalMode(command, values.approval),
    model: values.model,
    session: values.continue ? { how: "continue" } : session,
    plain: values.plain,
  });
}
