// One running command with everything it starts: streams its output, and leaves no process behind.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { ToolError } from "@codelia/core";
import { OutputCleaner } from "./output-cleaner.ts";
import { endProcesses } from "./process-table.ts";
import { shellCommand, shellEnvironment } from "./shell.ts";

export interface JobRequest {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
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
// Output that is on its way when all processes are ended; also the wait for a pipe that something unknown holds.
const drainLimit = 2_000;

export class Job {
  readonly #child: ChildProcessByStdio<null, Readable, null>;
  readonly #mark: string;
  readonly #cleaner = new OutputCleaner();
  readonly #killed = new AbortController();
  /** The command and everything that it started have ended. @error what `write` threw */
  readonly ended: Promise<JobEnd>;

  private constructor(child: ChildProcessByStdio<null, Readable, null>, mark: string, request: JobRequest) {
    this.#child = child;
    this.#mark = mark;
    this.ended = this.#run(request);
    // Whoever awaits `ended` sees the error too; a background job may have nobody who does.
    this.ended.catch(() => undefined);
  }

  /** @error ToolError when the shell cannot be started */
  static async start(request: JobRequest): Promise<Job> {
    const mark = randomUUID();
    const { file, args } = await shellCommand(request.command);
    const child = spawn(file, args, {
      cwd: request.cwd,
      env: shellEnvironment(request.env, request.cwd, mark),
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => {
        reject(new ToolError(`The shell could not be started: ${error.message}.`));
      });
    });
    return new Job(child, mark, request);
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
      await endProcesses({ group: this.#child.pid ?? 0, mark: this.#mark });
      await exited;
      await Promise.race([forward, delay(drainLimit, undefined, { ref: false })]);
      this.#child.stdout.destroy();
    }
  }

  async #forward(write: JobRequest["write"]): Promise<void> {
    for await (const chunk of this.#child.stdout) {
      if (!(chunk instanceof Uint8Array)) continue;
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
