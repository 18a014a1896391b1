// The command line's entry: finds the command, loads it, and turns failures into words and an exit code.
import { ProtocolError } from "@codelia/protocol";
import { visibleText } from "@codelia/shared-types";
import { commands, openTerminalUi } from "./commands/index.ts";
import { type CliIo, exitCode } from "./io.ts";
import { HelpRequest, UsageError } from "./usage.ts";

/**
 * @input  args: the command line without the program's name
 * @output the exit code: 0 done, 1 failed, 2 usage, 3 needs permission or trust, 4 limit, 130 interrupted
 * @effects writes to the given streams only
 */
export async function runCli(args: readonly string[], io: CliIo): Promise<number> {
  try {
    return await dispatch(args, io);
  } catch (error) {
    return error instanceof HelpRequest ? await help(error.command, io) : fail(error, io);
  }
}

async function help(topic: string | undefined, io: CliIo): Promise<number> {
  const { commandHelp, overview } = await import("./help.ts");
  const text = topic === undefined ? overview() : commandHelp(topic);
  if (text === undefined) throw new UsageError(`unknown command '${topic}'`);
  io.stdout.write(text);
  return exitCode.done;
}

async function dispatch([name, ...rest]: readonly string[], io: CliIo): Promise<number> {
  if (name === "--version" || name === "-V") {
    io.stdout.write(`${io.version}\n`);
    return exitCode.done;
  }
  if (isForTerminalUi(name, io)) {
    const command = await openTerminalUi();
    return command(name === undefined ? [] : [name, ...rest], io);
  }
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    return help(rest[0], io);
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined) throw new UsageError(`unknown command '${name}'`);
  const command = await load();
  return command(rest, io);
}

/** Options without a command are for the terminal UI; without any, somebody has to sit there. */
function isForTerminalUi(name: string | undefined, { stdin, stdout }: CliIo): boolean {
  if (name === undefined) return stdin.isTTY && stdout.isTTY;
  return name.startsWith("-") && name !== "--help" && name !== "-h";
}

function fail(error: unknown, io: CliIo): number {
  if (error instanceof UsageError) {
    const where = error.command === undefined ? "codelia help" : `codelia help ${error.command}`;
    io.stderr.write(`codelia: ${visibleText(error.message)}\nSee: ${where}\n`);
    return exitCode.usage;
  }
  const message = error instanceof Error ? error.message : String(error);
  const lines = message.split("\n").map((line) => `codelia: ${visibleText(line)}`);
  if (error instanceof ProtocolError && error.hint !== undefined) lines.push(visibleText(error.hint));
  io.stderr.write(`${lines.join("\n")}\n`);
  return error instanceof ProtocolError && ["untrusted", "unapproved"].includes(error.code)
    ? exitCode.needsPermission
    : exitCode.failed;
}
