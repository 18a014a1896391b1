// Runs the commands of checks: in the sandbox, without a shell, and so that no process outlives them.
import type { DecidableCall } from "@codelia/core";
import type { CommandRunner } from "@codelia/flows";
import type { ApprovalMode } from "@codelia/shared-types";
import type { AgentOptions } from "../agent-factory.ts";
import type { RuntimeEnvironment } from "../environment.ts";
import { projectApproval } from "../permissions/index.ts";
import type { Project } from "../project/index.ts";
import { createSandbox, decideWithSandbox, type Sandbox, sandboxOptions } from "../sandbox/index.ts";
import { childEnvironment, createRedactor, knownSecrets, secretVariables } from "../secrets/index.ts";
import { Job, RecentOutput } from "../tools/index.ts";

export interface CommandOptions {
  readonly environment: RuntimeEnvironment;
  readonly project: Project;
  /** Counts where there is no sandbox: with one, trust in the project is leave enough. */
  readonly approval: ApprovalMode;
  /** How to ask until the signal aborts. */
  readonly confirm: (signal: AbortSignal) => AgentOptions["approval"]["confirm"];
  readonly notify: (notice: string) => void;
}

const keptOutput = 64 * 1024;

export class SandboxedCommands implements CommandRunner {
  readonly #options: CommandOptions;
  readonly #sandbox: Sandbox;
  #refused = 0;

  constructor(options: CommandOptions) {
    this.#options = options;
    this.#sandbox = createSandbox(sandboxOptions(options.environment, options.project, []));
  }

  /** Commands that were refused because nobody could be asked. */
  get refusedCalls(): number {
    return this.#refused;
  }

  /** @error when the command may not be run, or cannot be started */
  async run(
    command: readonly string[],
    { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
  ): ReturnType<CommandRunner["run"]> {
    await this.#require(command, cwd, signal);
    const { environment, project } = this.#options;
    const settings = project.settings.values;
    const output = new RecentOutput(keptOutput);
    const secrets = knownSecrets(environment.env, settings);
    const redactor = createRedactor(secrets);
    const job = await Job.start({
      command,
      cwd,
      env: childEnvironment(environment.env, secretVariables(environment.env, settings, secrets)),
      sandbox: this.#sandbox,
      unaskedIn: undefined,
      timeout: undefined,
      write: async (chunk) => output.add(redactor.push(chunk)),
    });
    const kill = () => job.kill();
    signal.addEventListener("abort", kill);
    if (signal.aborted) kill();
    try {
      const end = await job.ended;
      output.add(redactor.end());
      const text = new TextDecoder().decode(output.since(0).bytes);
      return { output: text, ...(end.kind === "exit" ? { exitCode: end.code } : {}) };
    } finally {
      signal.removeEventListener("abort", kill);
    }
  }

  async dispose(): Promise<void> {
    await this.#sandbox.dispose();
  }

  async #require(command: readonly string[], cwd: string, signal: AbortSignal): Promise<void> {
    const decide = await this.#decider(signal);
    const { decision, by, reason } = await decide(checkCall(command, cwd));
    if (decision === "allow") return;
    if (by === "no_user") this.#refused += 1;
    throw new Error(reason);
  }

  /** Deny rules hold everywhere. In the sandbox nothing else is asked about a command that a trusted project names. */
  async #decider(signal: AbortSignal): Promise<ReturnType<typeof decideWithSandbox>> {
    const { environment, project, approval: mode, notify } = this.#options;
    const asking = { confirm: this.#options.confirm(signal), notify, outputs: "", allowedCalls: [] };
    const approvalOf = (each: ApprovalMode) =>
      projectApproval(environment, project, { ...asking, mode: each });
    const [held, unheld] = await Promise.all([approvalOf("full"), approvalOf(mode)]);
    return decideWithSandbox({
      sandbox: this.#sandbox,
      isRequired: project.settings.values.sandbox.enabled === "require",
      decide: (call, standing) => (standing === "in_force" ? held : unheld).decide(call, standing),
      notify,
    });
  }
}

function checkCall(command: readonly string[], cwd: string): DecidableCall {
  const text = command.map(shellWord).join(" ");
  const access = { kind: "command" as const, command: text, cwd };
  const prepared = { title: `check by ${text}`, paths: [], access, execute: () => Promise.resolve() };
  return { id: "check", tool: "bash", prepared };
}

/** As a shell would have to be given the word: rules are written about shell commands. */
function shellWord(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
