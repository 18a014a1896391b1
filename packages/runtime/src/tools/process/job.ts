// One running command with everything it starts: streams its output, and leaves no process behind.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { ToolError } from "@codelia/core";
import { type Sandbox, SandboxError, type WrappedCommand } from "../../sandbox/index.ts";
import { CarriedOutput } from "./carried-output.ts";
import { OutputCleaner } from "./output-cleaner.ts";
import { endProcesses } from "./process-table.ts";
import { plainCommand, shellCommand, shellEnvironment, throughPipe } from "./shell.ts";

export interface JobRequest {
  /** A text for the shell, or a program and its arguments, which no shell reads. */
  readonly command: string | readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly sandbox: Sandbox;
  /** The workspace, when nobody was asked about the command. */
  readonly unaskedIn: string | undefined;
  /** In seconds. */
  readonly timeout: number | undefined;
  /** Takes the cleaned output; the command waits until it resolves. */
  readonly write: (chunk: Uint8Array) => Promise<void>;
}

export type JobEnd =
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "signal"; readonly signal: string }
  | { readonly kind: "timeout"; readonly seconds: number }
  /** By whoever started it. */
  | { readonly kind: "killed" };

// A process behind `> >(…)` may still write for a moment after the shell has ended.
const outputGrace = 100;
// All processes are ended, and still the pipe is held: by something unknown, if nothing comes for so long.
const drainLimit = 5_000;

export class Job {
  readonly #child: ChildProcessByStdio<null, Readable, null>;
  readonly #mark: string;
  readonly #output: CarriedOutput;
  readonly #isContained: boolean;
  readonly #cleaner = new OutputCleaner();
  readonly #killed = new AbortController();
  /** The command and everything that it started have ended. @error what `write` threw */
  readonly ended: Promise<JobEnd>;

  private constructor(
    child: ChildProcessByStdio<null, Readable, null>,
    mark: string,
    hasCarrier: boolean,
    isContained: boolean,
    request: JobRequest,
  ) {
    this.#child = child;
    this.#mark = mark;
    this.#output = new CarriedOutput(child.stdout, hasCarrier);
    this.#isContained = isContained;
    this.ended = this.#run(request);
    // Whoever awaits `ended` sees the error too; a background job may have nobody who does.
    this.ended.catch(() => undefined);
  }

  /** @error ToolError when it cannot be started, or not in the sandbox */
  static async start(request: JobRequest): Promise<Job> {
    const mark = randomUUID();
    const wrapped = await inSandbox(request, mark);
    const { file, args, hasCarrier } = await throughPipe(wrapped);
    const child = spawn(file, args, {
      cwd: wrapped.cwd,
      env: wrapped.env,
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => {
        reject(new ToolError(`The shell could not be started: ${error.message}.`));
      });
    });
    return new Job(child, mark, hasCarrier, wrapped.isContained, request);
  }

  /** Ends the job; `ended` tells when it is done. */
  kill(): void {
    this.#killed.abort();
  }

  /** Lets go of a line that has no end yet, so that it can be seen. */
  flush(): Uint8Array {
    return this.#cleaner.flush();
  }

  async #run({ write, timeout }: JobRequest): Promise<JobEnd> {
    const exited = new Promise<JobEnd>((resolve) => {
      this.#child.once("exit", (code, signal) => {
        resolve(signal === null ? { kind: "exit", code: code ?? 0 } : { kind: "signal", signal });
      });
    });
    const finished = new AbortController();
    const forward = this.#forward(write);
    try {
      const end = await Promise.race([
        exited,
        this.#timeout(timeout, finished.signal),
        this.#aborted(),
        // Nothing takes the output any more: no sense in going on.
        forward.then(() => exited),
      ]);
      if (end.kind === "exit" || end.kind === "signal")
        await Promise.race([forward, delay(outputGrace, undefined, { ref: false })]);
      return end;
    } finally {
      finished.abort();
      const job = { group: this.#child.pid ?? 0, mark: this.#mark, isContained: this.#isContained };
      await endProcesses({ ...job, spared: await this.#output.carrier });
      await exited;
      if (!(await this.#output.drained(forward, drainLimit))) await endProcesses(job);
      this.#child.stdout.destroy();
    }
  }

  async #forward(write: JobRequest["write"]): Promise<void> {
    for await (const chunk of this.#output.chunks()) {
      const cleaned = this.#cleaner.clean(chunk);
      if (cleaned.length > 0) await write(cleaned);
    }
    const rest = this.#cleaner.flush();
    if (rest.length > 0) await write(rest);
  }

  async #timeout(seconds: number | undefined, finished: AbortSignal): Promise<JobEnd> {
    if (seconds === undefined) return new Promise(() => undefined);
    await delay(seconds * 1_000, undefined, { signal: finished }).catch(() => undefined);
    return { kind: "timeout", seconds };
  }

  async #aborted(): Promise<JobEnd> {
    const { signal } = this.#killed;
    if (!signal.aborted)
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    return { kind: "killed" };
  }
}

async function inSandbox(request: JobRequest, mark: string): Promise<WrappedCommand> {
  const { command, cwd, env, sandbox, unaskedIn } = request;
  const program =
    typeof command === "string"
      ? await shellCommand(command, unaskedIn !== undefined)
      : await plainCommand(command, cwd, env.PATH);
  try {
    return await sandbox.wrap({ ...program, cwd, env: await shellEnvironment(env, request, mark) });
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    throw new ToolError(`The command was not run, because the sandbox cannot hold it: ${error.message}.`);
  }
}
