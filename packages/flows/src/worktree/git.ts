// Git as a port, and what every call of it has in common: it is tried again when another git is at work.
import { visibleText } from "@codelia/shared-types";
import { ExecutionError } from "../error.ts";
import type { Clock } from "../execution/index.ts";

export interface GitOutput {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GitCall {
  readonly cwd: string;
  /** Standard input; none when it is left out. */
  readonly input?: string;
  /** Talks to a remote: the user's own ssh and credential helpers take part. */
  readonly isRemote?: boolean;
  readonly signal?: AbortSignal;
}

/** Runs git so that nothing that the repository names is started: no hook, filter, helper, pager or other program. */
export interface GitPort {
  /** @error any error when git could not be started, or when the signal ended it */
  run(args: readonly string[], call: GitCall): Promise<GitOutput>;
}

/** How to wait for others. */
export interface Waiting {
  readonly clock: Clock;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
}

export interface GitOptions extends Waiting {
  readonly port: GitPort;
}

// Another git holds a lock for milliseconds; one that died holds it until somebody looks.
const patienceMs = 30_000;
const longestWaitMs = 400;

// LC_ALL is C, so these are git's own words. A ref that moved ("but expected", "already exists") is not contention.
// The last one is git reading the entry of a worktree that another git has not finished.
const contention =
  /Unable to create '(?<lock>[^']+\.lock)': File exists|could not lock config file (?<config>[^:\n]+): File exists|failed to read .*worktrees\/[^/]+\/(?:commondir|gitdir|HEAD)/;

export class Git {
  readonly #options: GitOptions;

  constructor(options: GitOptions) {
    this.#options = options;
  }

  /**
   * @output what git said, with whatever exit code
   * @error  ExecutionError GitBusy when another git does not let go of a lock, GitFailed when git could not be run
   */
  async try(args: readonly string[], call: GitCall): Promise<GitOutput> {
    const { clock, random } = this.#options;
    const never = new AbortController().signal;
    const until = clock.now() + patienceMs;
    for (let attempt = 1; ; attempt += 1) {
      const output = await this.#run(args, call);
      const found = output.exitCode === 0 ? null : contention.exec(output.stderr);
      if (found === null) return output;
      if (clock.now() >= until) throw busy(found[0], output.stderr);
      await clock.wait(
        (0.5 + random() / 2) * Math.min(longestWaitMs, 10 * 2 ** attempt),
        call.signal ?? never,
      );
    }
  }

  /**
   * @output what git printed
   * @error  ExecutionError GitFailed with git's own words when it ended with anything but 0
   */
  async read(args: readonly string[], call: GitCall): Promise<string> {
    const output = await this.try(args, call);
    if (output.exitCode === 0) return output.stdout;
    throw gitFailed(args, output);
  }

  /** @output the commit that a name stands for; undefined when there is none */
  async commitOf(name: string, cwd: string): Promise<string | undefined> {
    const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
    const { exitCode, stdout } = await this.try(args, { cwd });
    return exitCode === 0 ? stdout.trim() : undefined;
  }

  async #run(args: readonly string[], call: GitCall): Promise<GitOutput> {
    try {
      return await this.#options.port.run(args, call);
    } catch (error) {
      if (call.signal?.aborted) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new ExecutionError("GitFailed", `git could not be run: ${visibleText(reason)}`, { cause: error });
    }
  }
}

/** @output an error with the command and the end of what git said */
export function gitFailed(args: readonly string[], { exitCode, stderr, stdout }: GitOutput): ExecutionError {
  const said = lastLines(stderr.trim() === "" ? stdout : stderr);
  return new ExecutionError("GitFailed", `git ${args[0] ?? ""} failed (${exitCode}): ${said}`);
}

export function lastLines(text: string, count = 8): string {
  return visibleText(text.trim().split("\n").slice(-count).join("\n"));
}

function busy(what: string, stderr: string): ExecutionError {
  const lock = /'([^']+\.lock)'/.exec(what)?.[1];
  const advice = lock === undefined ? "" : ` If none runs in this repository, remove ${visibleText(lock)}.`;
  return new ExecutionError(
    "GitBusy",
    `For ${patienceMs / 1000} seconds another git was at work in this repository, or one was killed: ${lastLines(stderr)}.${advice}`,
    { recoverable: true },
  );
}
