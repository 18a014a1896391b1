// codelia agent: each subcommand's code is loaded when it is asked for.
import type { CliIo } from "../io.ts";
import { HelpRequest, UsageError } from "../usage.ts";

type Subcommand = (args: readonly string[], io: CliIo) => Promise<number>;

const subcommands: Readonly<Record<string, () => Promise<Subcommand>>> = {
  run: async () => (await import("./agent-run.ts")).agentRunCommand,
  resume: async () => (await import("./agent-resume.ts")).agentResumeCommand,
  runs: async () => (await import("./agent-runs.ts")).agentRunsCommand,
  logs: async () => (await import("./agent-logs.ts")).agentLogsCommand,
};

export async function agentCommand(args: readonly string[], io: CliIo): Promise<number> {
  const [name = "", ...rest] = args;
  const load = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (load !== undefined) return await (await load())(rest, io);
  if (name === "-h" || name === "--help") throw new HelpRequest("agent");
  const known = Object.keys(subcommands).join(", ");
  const problem = name === "" ? "say what to do with agents" : `unknown command 'agent ${name}'`;
  throw new UsageError(`${problem}: expected one of ${known}`, "agent");
}
