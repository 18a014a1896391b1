// Commands that go on while the model does something else. They end with the session at the latest.
import { ToolError } from "@codelia/core";
import { visibleName } from "@codelia/shared-types";
import type { Redactor } from "../../secrets/index.ts";
import { Job, type JobEnd, type JobRequest } from "./job.ts";
import { RecentOutput } from "./recent-output.ts";

export interface BackgroundJob {
  readonly id: string;
  readonly command: string;
  /** Undefined while it runs. */
  readonly end: JobEnd | undefined;
  /** Bytes of output so far. */
  readonly total: number;
}

export type ShellRequest = Omit<JobRequest, "write" | "command"> & { readonly command: string };

export interface NewOutput {
  readonly bytes: Uint8Array;
  /** Bytes that were not kept. */
  readonly lost: number;
}

interface Entry {
  readonly id: string;
  readonly command: string;
  readonly job: Job;
  readonly output: RecentOutput;
  /** Of the whole job: two calls of `wait` could show the halves of a secret. */
  readonly redactor: Redactor;
  seen: number;
  end: JobEnd | undefined;
}

const keptOutput = 256 * 1024;
const maxRunning = 16;
const maxEnded = 32;

export class BackgroundJobs {
  readonly #createRedactor: () => Redactor;
  readonly #entries = new Map<string, Entry>();
  #count = 0;
  /** Starts that are not in the map yet; dispose waits for them. */
  readonly #starting = new Set<Promise<Entry>>();
  #isDisposed = false;

  constructor(redactor: () => Redactor) {
    this.#createRedactor = redactor;
  }

  /** @error ToolError when too many run, or the shell cannot be started */
  async start(request: ShellRequest): Promise<BackgroundJob> {
    if (this.#isDisposed) throw new ToolError("The session has ended: nothing can be started.");
    const running = [...this.#entries.values()].filter(({ end }) => end === undefined).length;
    if (running + this.#starting.size >= maxRunning) {
      throw new ToolError(
        `${maxRunning} background jobs are running: kill one first, {"list": true} shows them.`,
      );
    }
    const starting = this.#start(request);
    this.#starting.add(starting);
    try {
      return view(await starting);
    } finally {
      this.#starting.delete(starting);
    }
  }

  /**
   * Waits until the job ends or the time is up, whichever is first.
   * @output the job, and what it printed since the last call
   * @error  ToolError when there is no such job; the signal's reason, the job goes on then
   */
  async wait(id: string, seconds: number, signal: AbortSignal): Promise<BackgroundJob & NewOutput> {
    const entry = this.#entry(id);
    signal.throwIfAborted();
    const waiting = new AbortController();
    const until = AbortSignal.any([signal, waiting.signal]);
    const timer = setTimeout(() => waiting.abort(), seconds * 1_000);
    const over = new Promise((resolve) => until.addEventListener("abort", resolve, { once: true }));
    await Promise.race([entry.job.ended.catch(() => undefined), over]);
    clearTimeout(timer);
    signal.throwIfAborted();
    return { ...view(entry), ...takeNew(entry) };
  }

  /** @effects ends the job and all its processes  @error ToolError when there is no such job */
  async kill(id: string): Promise<BackgroundJob & NewOutput> {
    const entry = this.#entry(id);
    entry.job.kill();
    await entry.job.ended.catch(() => undefined);
    return { ...view(entry), ...takeNew(entry) };
  }

  list(): BackgroundJob[] {
    return [...this.#entries.values()].map(view);
  }

  /** Ends all jobs; nothing can be started afterwards. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await Promise.allSettled(this.#starting);
    await Promise.all(this.list().map(({ id }) => this.kill(id)));
  }

  async #start(request: ShellRequest): Promise<Entry> {
    const output = new RecentOutput(keptOutput);
    const redactor = this.#createRedactor();
    const write = (chunk: Uint8Array) => {
      output.add(redactor.push(chunk));
      return Promise.resolve();
    };
    const job = await Job.start({ ...request, write });
    this.#count += 1;
    const { command } = request;
    const entry: Entry = { id: `b${this.#count}`, command, job, output, redactor, seen: 0, end: undefined };
    this.#entries.set(entry.id, entry);
    // First in line for the end, so that whoever waits finds it noted.
    void job.ended.then((end) => {
      output.add(redactor.push(job.flush()));
      output.add(redactor.end());
      entry.end = end;
      this.#forgetOldest();
    });
    return entry;
  }

  #forgetOldest(): void {
    const ended = [...this.#entries.values()].filter(({ end }) => end !== undefined);
    for (const { id } of ended.slice(0, Math.max(0, ended.length - maxEnded))) this.#entries.delete(id);
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry) return entry;
    const known = [...this.#entries.keys()].join(", ");
    throw new ToolError(
      `There is no background job ${visibleName(id)}: ${known === "" ? "none was started" : `the jobs are ${known}`}.`,
    );
  }
}

function takeNew(entry: Entry): NewOutput {
  entry.output.add(entry.redactor.push(entry.job.flush()));
  const { bytes, lost } = entry.output.since(entry.seen);
  entry.seen = entry.output.total;
  return { bytes, lost };
}

function view({ id, command, end, output }: Entry): BackgroundJob {
  return { id, command, end, total: output.total };
}
