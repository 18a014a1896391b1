// One run of one agent: started in a repository, led through the script by the fake model, ended with its whole tree.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { visibleName } from "@codelia/shared-types";
import type { Conversation, FakeModel } from "./fake-model.ts";
import type { InstalledAgent } from "./install.ts";
import { keptShares } from "./prefix.ts";
import { canMeasureMemory, ProcessTree } from "./process-tree.ts";
import type { BenchRepository } from "./repositories.ts";

export interface RunFigures {
  /** Milliseconds from the start of the process to the arrival of the first request. */
  readonly firstRequest: number;
  /** Milliseconds from a request to the next one, a mean over the files read; no number without files. */
  readonly turn: number;
  readonly firstRequestBytes: number;
  /** For each request but the last, the share that the next one begins with. */
  readonly keptShares: readonly number[];
  readonly peakMemory: number | undefined;
  /** Requests outside the conversation, as `METHOD path`. */
  readonly others: readonly string[];
}

export interface Run {
  readonly installed: InstalledAgent;
  readonly home: string;
  readonly model: FakeModel;
  readonly server: string;
  readonly repository: BenchRepository;
  /** How many files the model asks for before it ends. */
  readonly readTurns: number;
  /** Sampling takes time of its own, so the runs that are timed go without it. */
  readonly sampleMemory: boolean;
}

const turnLimit = 60_000;
/** How long an agent may take to end by itself after the model's last answer. */
const endLimit = 5_000;
const sampleInterval = 10;
let runs = 0;
let endRunning: () => void = () => {};

/** Ends the agent that runs now, for when the bench itself is told to end. */
export function endRunningAgent(): void {
  endRunning();
}

/** Writes the agent's settings; called once for all its runs. */
export function prepareHome({ installed, home, server }: Pick<Run, "installed" | "home" | "server">): void {
  mkdirSync(join(home, "tmp"), { recursive: true });
  for (const [name, content] of Object.entries(installed.agent.files({ home, server }))) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), content);
  }
}

/** @error when the agent does not get through the script; the message is the reason */
export async function runAgent(run: Run): Promise<RunFigures> {
  const token = `bench-${process.pid}-${++runs}`;
  const files = run.repository.files.slice(0, run.readTurns);
  const conversation = run.model.begin({ token, files });
  const tree = new ProcessTree(`CODELIA_BENCH_RUN=${token}`);
  const prompt = `Read the modules in src one after the other and say when you are done (${token}).`;
  const [program, ...before] = run.installed.command;

  const started = performance.now();
  const child = spawn(program, [...before, ...run.installed.agent.args(prompt)], {
    cwd: run.repository.root,
    env: { ...isolation(run), CODELIA_BENCH_RUN: token },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, so that a signal reaches all of it.
    detached: true,
  });
  endRunning = () => end(child.pid, tree);
  let output = "";
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-2000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const exit = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`it could not be started: ${error.message}`));
    child.once("exit", (code, signal) => resolve(`it ended with ${signal ?? `code ${code}`}`));
  });

  let peak = 0;
  const sampler = run.sampleMemory
    ? setInterval(() => {
        peak = tree.peakMemory(peak);
      }, sampleInterval)
    : undefined;
  let ending: string;
  try {
    ending = await Promise.race([
      conversation.finished.then(() => Promise.race([exit, after(endLimit, "it was ended")])),
      exit,
      after(turnLimit, `it was not done after ${turnLimit / 1000} s`),
    ]);
  } finally {
    clearInterval(sampler);
    endRunning();
  }
  const complaint = incomplete(conversation, files.length);
  if (complaint) throw new Error(`${complaint}; ${ending}: ${lastWords(output)}`);
  const peakMemory = run.sampleMemory && canMeasureMemory ? peak : undefined;
  return { ...figures(conversation, started, files.length), peakMemory };
}

function incomplete({ turns, fault }: Conversation, files: number): string | undefined {
  if (fault !== undefined) return fault;
  if (turns.length === 0) return "no request offered a tool that reads files";
  const most = Math.max(...turns.map((turn) => turn.toolResults));
  return most < files ? `${most} of ${files} files read` : undefined;
}

function figures(
  { turns, others }: Conversation,
  started: number,
  files: number,
): Omit<RunFigures, "peakMemory"> {
  const [first] = turns;
  const last = turns.find(({ toolResults }) => toolResults >= files);
  if (!first || !last) throw new Error("a complete conversation has a first and a last turn");
  return {
    firstRequest: first.at - started,
    turn: (last.at - first.at) / files,
    firstRequestBytes: first.bytes,
    keptShares: keptShares(turns.map(({ prompt }) => prompt)),
    others,
  };
}

/** Nothing of the caller's environment but the search path; the internet is behind a proxy that is not there. */
function isolation({ installed, home, server }: Run): Record<string, string> {
  const proxy = "http://127.0.0.1:9";
  const direct = "127.0.0.1,localhost";
  return {
    PATH: process.env.PATH ?? "",
    HOME: home,
    // Codex leaves out a part of its start when its home is below the temporary directory.
    TMPDIR: join(home, "tmp"),
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    NO_PROXY: direct,
    no_proxy: direct,
    ...installed.agent.env({ home, server }),
  };
}

function end(group: number | undefined, tree: ProcessTree): void {
  tree.end();
  if (group === undefined) return;
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // Nothing of the group is left.
  }
}

function after(milliseconds: number, value: string): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds, value).unref();
  });
}

function lastWords(output: string): string {
  const words = output.trim().replace(/\s+/g, " ").slice(-300);
  return words === "" ? "it printed nothing" : visibleName(words);
}
