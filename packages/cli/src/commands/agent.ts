// codelia agent: flows. Each subcommand's code is loaded when it is asked for.
import type { CliIo } from "../io.ts";
import { UsageError } from "../usage.ts";
import type { Command } from "./index.ts";

const subcommands: Readonly<Record<string, () => Promise<Command>>> = {
  list: async () => (await import("./agent-define.ts")).agentListCommand,
  new: async () => (await import("./agent-define.ts")).agentNewCommand,
  validate: async () => (await import("./agent-define.ts")).agentValidateCommand,
  migrate: async () => (await import("./agent-define.ts")).agentMigrateCommand,
  graph: async () => (await import("./agent-graph.ts")).agentGraphCommand,
};

export async function agentCommand(args: readonly string[], io: CliIo): Promise<number> {
  const [name = "list", ...rest] = args;
  const isList = name.startsWith("-");
  const load = isList ? subcommands.list : Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (load === undefined) {
    const known = Object.keys(subcommands).join(", ");
    throw new UsageError(`unknown command 'agent ${name}': expected one of ${known}`, "agent");
  }
  const command = await load();
  return await command(isList ? args : rest, io);
}
