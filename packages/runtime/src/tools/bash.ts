// The tool `bash`: runs a command to its end or in the background, and leaves no process behind.
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import {
  type OutputWriter,
  type PreparedCall,
  type Tool,
  ToolError,
  type ToolExecution,
} from "@codelia/core";
import { visibleName } from "@codelia/shared-types";
import { z } from "zod";
import { createRedactor } from "../secrets/index.ts";
import type { ToolEnvironment } from "./environment.ts";
import { type BackgroundJob, BackgroundJobs, Job, type JobEnd, type NewOutput } from "./process/index.ts";

const parameters = z.strictObject({
  command: z.string().optional(),
  timeout_s: z.number().min(0).max(600).optional(),
  background: z.boolean().optional(),
  cwd: z.string().optional(),
  wait: z.string().optional().describe("job id"),
  kill: z.string().optional().describe("job id"),
  list: z.boolean().optional().describe("jobs"),
});

export type BashArguments = z.infer<typeof parameters>;

const description =
  "Run a shell command; give one of command, wait, kill, list. No stdin. Killed after timeout_s (120). " +
  "background: returns a job id at once; wait: its new output, at its end or after timeout_s (30).";

const defaultTimeout = 120;
const defaultWait = 30;
const maxCommand = 100 * 1024;

export type BashTool = Tool<BashArguments> & {
  /** Ends all background jobs and every process they started. */
  dispose(): Promise<void>;
};

/** @effects of its calls: runs commands */
export function createBashTool(environment: ToolEnvironment): BashTool {
  const jobs = new BackgroundJobs(() => createRedactor(environment.secrets));
  return {
    name: "bash",
    description,
    parameters,
    async prepare(args) {
      const { command, wait, kill, list } = args;
      const asked = [command, wait, kill, list === true ? list : undefined];
      if (asked.filter((one) => one !== undefined).length !== 1) {
        throw new ToolError("Give exactly one of command, wait, kill and list.");
      }
      if (command !== undefined) return prepareCommand(environment, jobs, command, args);
      if (wait !== undefined) {
        const seconds = args.timeout_s ?? defaultWait;
        return onJobs(`wait for job ${visibleName(wait)}`, async ({ signal, output }) => {
          await writeJob(output, await jobs.wait(wait, seconds, signal));
        });
      }
      if (kill !== undefined) {
        return onJobs(`kill job ${visibleName(kill)}`, async ({ output }) => {
          await writeJob(output, await jobs.kill(kill));
        });
      }
      return onJobs("list jobs", ({ output }) => output.write(listed(jobs.list())));
    },
    dispose: () => jobs.dispose(),
  };
}

async function prepareCommand(
  environment: ToolEnvironment,
  jobs: BackgroundJobs,
  command: string,
  { background = false, timeout_s: timeout, cwd: named = "." }: BashArguments,
): Promise<PreparedCall> {
  checkCommand(command);
  if (timeout === 0) throw new ToolError("timeout_s must be more than 0 for a command.");
  const cwd = await checkFolder(environment.cwd, named);
  const { env, sandbox, workspace, approvesAll } = environment;
  return {
    title: `${background ? "start" : "run"} ${visibleName(command)}`,
    paths: [cwd],
    access: { kind: "command", command, cwd },
    async execute(execution) {
      execution.signal.throwIfAborted();
      const isUnasked = !approvesAll && execution.decision.by !== "user";
      const request = { command, cwd, env, sandbox, unaskedIn: isUnasked ? workspace : undefined };
      if (background) {
        const { id } = await jobs.start({ ...request, timeout });
        await execution.output.write(`Started job ${id}. {"wait": "${id}"} shows its output.\n`);
        return;
      }
      await runToEnd({ ...request, timeout: timeout ?? defaultTimeout }, execution);
    },
  };
}

async function runToEnd(
  request: Omit<Parameters<typeof Job.start>[0], "write">,
  { signal, output }: ToolExecution,
): Promise<void> {
  const lines = new LineEnd(output);
  const job = await Job.start({ ...request, write: (chunk) => lines.write(chunk) });
  const kill = () => job.kill();
  signal.addEventListener("abort", kill);
  if (signal.aborted) kill();
  try {
    await lines.last(endLine(await job.ended));
  } finally {
    signal.removeEventListener("abort", kill);
  }
}

function onJobs(title: string, execute: PreparedCall["execute"]): PreparedCall {
  return { title, paths: [], access: { kind: "none" }, execute };
}

async function writeJob(output: OutputWriter, job: BackgroundJob & NewOutput): Promise<void> {
  const lines = new LineEnd(output);
  if (job.lost > 0) await lines.last(`[${job.lost} bytes of earlier output were not kept]`);
  if (job.bytes.length > 0) await lines.write(job.bytes);
  await lines.last(`job ${job.id}: ${job.end ? endLine(job.end) : "running"}`);
}

function listed(jobs: readonly BackgroundJob[]): string {
  if (jobs.length === 0) return "No background jobs.\n";
  return jobs
    .map(({ id, end, total, command }) => {
      const state = end ? endLine(end) : "running";
      return `${id}: ${state}, ${total} bytes of output: ${visibleName(command.slice(0, 200))}\n`;
    })
    .join("");
}

function endLine(end: JobEnd): string {
  switch (end.kind) {
    case "exit":
      return `exit code ${end.code}`;
    case "signal":
      return `killed by signal ${end.signal}`;
    case "timeout":
      return `killed after ${end.seconds} s`;
    case "killed":
      return "killed on request";
  }
}

function checkCommand(command: string): void {
  if (command.trim() === "") throw new ToolError("The command is empty: write a shell command.");
  if (command.includes("\0")) throw new ToolError("The command has a NUL character, which no shell takes.");
  if (Buffer.byteLength(command) > maxCommand) {
    throw new ToolError(`The command is longer than ${maxCommand / 1024} KiB: write a file and run that.`);
  }
}

/** @output the folder, absolute  @error ToolError when it is none */
async function checkFolder(base: string, named: string): Promise<string> {
  const path = resolve(base, named);
  const isFolder = named.includes("\0")
    ? false
    : await stat(path).then(
        (found) => found.isDirectory(),
        () => false,
      );
  if (isFolder) return path;
  throw new ToolError(`The cwd ${visibleName(named)} is no folder: name an existing one, or leave it out.`);
}

/** Knows whether the output stands at the start of a line, so that the last line stands alone. */
class LineEnd {
  readonly #output: OutputWriter;
  #isAtStart = true;

  constructor(output: OutputWriter) {
    this.#output = output;
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#isAtStart = chunk.at(-1) === 0x0a;
    await this.#output.write(chunk);
  }

  async last(line: string): Promise<void> {
    await this.#output.write(`${this.#isAtStart ? "" : "\n"}${line}\n`);
    this.#isAtStart = true;
  }
}
