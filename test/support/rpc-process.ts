// `codelia rpc` from outside: raw lines in and out, and what the system says of the process.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { repository } from "./codelia.ts";

export interface RpcPlace {
  readonly cwd: string;
  readonly home: string;
  readonly args?: readonly string[];
  /** Below the repository; the program's own by default. */
  readonly main?: string;
}

const program = "packages/codelia/src/main.ts";

export function startRpc({ cwd, home, args = [], main = program }: RpcPlace): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [`${repository}/${main}`, "rpc", ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? "", HOME: home, PWD: cwd },
  });
}

export interface ProcessState {
  readonly residentMb: number;
  readonly files: number;
  readonly children: number;
}

/** @output of a process that lives @error when it does not */
export function stateOf(pid: number): ProcessState {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const resident = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  const threads = readdirSync(`/proc/${pid}/task`);
  return {
    residentMb: resident / 1024,
    files: readdirSync(`/proc/${pid}/fd`).length,
    children: threads.reduce((count, thread) => count + childrenOf(pid, thread), 0),
  };
}

function childrenOf(pid: number, thread: string): number {
  const text = readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").trim();
  return text === "" ? 0 : text.split(" ").length;
}
