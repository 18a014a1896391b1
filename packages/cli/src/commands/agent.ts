// codelia agent: each subcommand's code is loaded when it is asked for.
import type { CliIo } from "../io.ts";
import { HelpRequest, UsageError } from "../usage.ts";

type Subcommand = (args: readonly string[], io: CliIo) => Promise<number>;

const subcommands: Readonly<Record<string, () => Promise<Subcommand>>> = {
  list: async () => (await import("./agent-define.ts")).agentListCommand,
  new: async () => (await import("./agent-define.ts")).agentNewCommand,
  validate: async () => (await import("./agent-define.ts")).agentValidateCommand,
  migrate: async () => (await import("./agent-define.ts")).agentMigrateCommand,
  graph: async () => (await import("./agent-graph.ts")).agentGraphCommand,
  run: async () => (await import("./agent-run.ts")).agentRunCommand,
  resume: async () => (await import("./agent-resume.ts")).agentResumeCommand,
  runs: async () => (await import("./agent-runs.ts")).agentRunsCommand,
  logs: async () => (await import("./agent-logs.ts")).agentLogsCommand,
};

export async function agentCommand(args: readonly string[], io: CliIo): Promise<number> {
  const [name = "list", ...rest] = args;
  if (name === "-h" || name === "--help") throw new HelpRequest("agent");
  // Like `codelia skills --json`: options alone are about the list.
  const isList = name.startsWith("-");
  const load = isList ? subcommands.list : Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (load !== undefined) return await (await load())(isList ? args : rest, io);
  const known = Object.keys(subcommands).join(", ");
  throw new UsageError(`unknown command 'agent ${name}': expected one of ${known}`, "agent");
}
