// Every command by its name. A command's code is loaded when it is asked for.
import type { CliIo } from "../io.ts";

export type Command = (args: readonly string[], io: CliIo) => Promise<number>;

export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import("./run.ts")).runCommand,
  agent: async () => (await import("./agent.ts")).agentCommand,
  worktrees: async () => (await import("./worktrees.ts")).worktreesCommand,
  demo: async () => (await import("./demo.ts")).demoCommand,
  sessions: async () => (await import("./sessions.ts")).sessionsCommand,
  skills: async () => (await import("./skills.ts")).skillsCommand,
  mcp: async () => (await import("./mcp.ts")).mcpCommand,
  models: async () => (await import("./models.ts")).modelsCommand,
  context: async () => (await import("./context.ts")).contextCommand,
  config: async () => (await import("./config.ts")).configCommand,
  permissions: async () => (await import("./permissions.ts")).permissionsCommand,
  sandbox: async () => (await import("./sandbox.ts")).sandboxCommand,
  acp: async () => (await import("./acp.ts")).acpCommand,
  doctor: async () => (await import("./doctor.ts")).doctorCommand,
  rpc: async () => (await import("./rpc.ts")).rpcCommand,
  completions: async () => (await import("./completions.ts")).completionsCommand,
  man: async () => (await import("./man.ts")).manCommand,
  trust: async () => (await import("./trust.ts")).trustCommand,
};

/** What is done without a command. */
export const openTerminalUi = async (): Promise<Command> => (await import("./open.ts")).openCommand;
