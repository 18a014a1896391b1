// Finds and ends the processes that a command left: those of its group, and on Linux also those that left the
// group (setsid), by a mark in their environment and by descent. A process that drops both on purpose gets away.
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

export const markVariable = "CODELIA_JOB";

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly isMarked: boolean;
}

export interface JobProcesses {
  /** The shell's id, which is also its group's. */
  readonly group: number;
  /** Unique to the job; its processes have it as the value of `markVariable`. */
  readonly mark: string;
  /** Is left alone: it ends by itself when it has carried on what the others wrote. */
  readonly spared?: number | undefined;
  /** The shell's process is the sandbox: it ends by itself after what is inside, and takes all with it when killed. */
  readonly isContained: boolean;
}

const grace = 500;
const pause = 10;
// SIGKILL may have to be sent again when a process forks faster than it is found.
const killRounds = 50;

/** @effects SIGTERM to all processes of the job, SIGKILL to those that are left after 500 ms */
export async function endProcesses(job: JobProcesses): Promise<void> {
  let left = await livingProcesses(job);
  if (left.length === 0) return;
  // The sandbox would not wait for what is inside.
  signalAll(job.isContained ? left.filter((pid) => pid !== job.group) : left, "SIGTERM");
  // What was in a sandbox that has ended is about to be gone.
  for (
    let waited = 0, wait = job.isContained ? 1 : pause;
    left.length > 0 && waited < grace;
    waited += wait, wait *= 2
  ) {
    await delay(wait);
    left = await livingProcesses(job);
  }
  for (let round = 0; left.length > 0 && round < killRounds; round += 1) {
    signalAll(left, "SIGKILL");
    await delay(pause);
    left = await livingProcesses(job);
  }
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const target of pids) {
    try {
      process.kill(target, signal);
    } catch {
      // Ended meanwhile.
    }
  }
}

/** @output what to signal: ids of the job's processes that are no zombies, or elsewhere the group */
async function livingProcesses(job: JobProcesses): Promise<number[]> {
  if (process.platform !== "linux") return groupLives(job.group) ? [-job.group] : [];
  const names = await readdir("/proc").catch((): string[] => []);
  const pids = names.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const entries = await Promise.all(pids.map((pid) => readEntry(pid, job.mark)));
  const living = related(
    entries.filter((entry) => entry !== undefined),
    job,
  );
  return living.filter((pid) => pid !== job.spared);
}

/** Marked ones and the group, then all that descend from these or share a group with them. */
function related(entries: readonly ProcessEntry[], { group }: JobProcesses): number[] {
  const pids = new Set<number>();
  const groups = new Set([group]);
  let before = -1;
  while (before !== pids.size) {
    before = pids.size;
    for (const { pid, parent, group: its, session, isMarked } of entries) {
      if (!isMarked && !pids.has(parent) && !groups.has(its) && !groups.has(session)) continue;
      pids.add(pid);
      groups.add(its);
    }
  }
  return [...pids];
}

async function readEntry(pid: string, mark: string): Promise<ProcessEntry | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "latin1");
    // The name is in brackets and may hold anything, brackets too.
    const [state, parent, group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z" || state === "X") return undefined;
    const environment = await readFile(`/proc/${pid}/environ`).catch(() => Buffer.alloc(0));
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      isMarked: environment.includes(`${markVariable}=${mark}`),
    };
  } catch {
    return undefined;
  }
}

function groupLives(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}
