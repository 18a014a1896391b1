// codelia man
import { parseCommand } from "../arguments.ts";
import { descriptions } from "../descriptions/index.ts";
import { type CliIo, exitCode } from "../io.ts";
import { manPage } from "../man-page.ts";
import { UsageError } from "../usage.ts";

const command = "man";

export function manCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { positionals } = parseCommand(command, args, descriptions.man.options);
  if (positionals.length > 0) throw new UsageError(`unexpected argument '${positionals[0]}'`, command);
  io.stdout.write(manPage(io.version));
  return Promise.resolve(exitCode.done);
}
