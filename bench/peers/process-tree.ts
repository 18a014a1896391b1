// The processes of one run: found by a mark in their environment and by their parents, measured, ended.
import { readdirSync, readFileSync } from "node:fs";

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Start time in ticks: with it, a pid that the system gives out again is not mistaken for the old one. */
  readonly started: string;
}

/** Whether this system shows processes in /proc. Without it there are no memory figures. */
export const canMeasureMemory = process.platform === "linux";

/** The kernel's quick counters lag behind by a few pages a processor. */
const counterSlack = 1024 * 1024;

export class ProcessTree {
  readonly #mark: string;
  readonly #members = new Map<number, string>();
  readonly #strangers = new Map<number, string>();

  /** @input mark `NAME=value` that the first process has in its environment */
  constructor(mark: string) {
    this.#mark = mark;
  }

  /**
   * The larger of `peak` and the bytes of the whole tree now: proportional set sizes, so that pages shared within
   * it count once.
   */
  peakMemory(peak: number): number {
    const members = this.#find();
    const sizes = new Map(members.map(({ pid }) => [pid, memoryLines(pid)]));
    // Between vfork and exec a child shows its parent's memory as its own.
    const apart = members.filter(({ pid, parent }) => sizes.get(pid) !== sizes.get(parent));
    // A resident size is never smaller than the proportional one and costs far less to read.
    const resident = apart.reduce((sum, { pid }) => sum + residentSize(sizes.get(pid) ?? ""), 0);
    if (resident + counterSlack * apart.length <= peak) return peak;
    return Math.max(
      peak,
      apart.reduce((sum, { pid }) => sum + proportionalSetSize(pid), 0),
    );
  }

  /** Ends every process that is left, also those that moved to a group of their own. */
  end(): void {
    for (let attempt = 0; attempt < 5; attempt++) {
      const members = this.#find();
      if (members.length === 0) return;
      for (const { pid } of members) {
        try {
          process.kill(pid, "SIGKILL");
        } catch {
          // It ended by itself.
        }
      }
    }
  }

  #find(): Process[] {
    const all = new Map(processes().map((entry) => [entry.pid, entry]));
    let found: Process[] = [];
    // A child can have a smaller pid than its parent: look until nobody is added.
    for (let before = -1; before < found.length; ) {
      before = found.length;
      found = [...all.values()].filter((entry) => this.#belongs(entry, all));
    }
    return found;
  }

  #belongs(entry: Process, all: ReadonlyMap<number, Process>): boolean {
    if (this.#members.get(entry.pid) === entry.started) return true;
    const parent = all.get(entry.parent);
    const inherited = parent !== undefined && this.#members.get(parent.pid) === parent.started;
    if (!inherited) {
      // The environment of a stranger is read once, not at every sample.
      if (this.#strangers.get(entry.pid) === entry.started) return false;
      const environment = readProcess(entry.pid, "environ");
      if (!environment?.split("\0").includes(this.#mark)) {
        if (environment !== undefined && environment !== "") this.#strangers.set(entry.pid, entry.started);
        return false;
      }
    }
    this.#members.set(entry.pid, entry.started);
    return true;
  }
}

function processes(): Process[] {
  if (!canMeasureMemory) return [];
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const pid = Number(name);
    // The command's name, in parentheses, may hold anything.
    const stat = readProcess(pid, "stat")
      ?.replace(/^.*\) /s, "")
      .split(" ");
    const parent = stat?.[1];
    const started = stat?.[19];
    if (stat?.[0] === "Z" || parent === undefined || started === undefined) return [];
    return [{ pid, parent: Number(parent), started }];
  });
}

/** The lines of a process's status that are about its memory. */
function memoryLines(pid: number): string {
  return (readProcess(pid, "status")?.match(/^(?:Vm|Rss)\w+:.*$/gm) ?? []).join("\n");
}

function residentSize(lines: string): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(lines)?.[1] ?? 0) * 1024;
}

function proportionalSetSize(pid: number): number {
  const size = /^Pss:\s+(\d+) kB$/m.exec(readProcess(pid, "smaps_rollup") ?? "")?.[1];
  return size === undefined ? residentSize(memoryLines(pid)) : Number(size) * 1024;
}

function readProcess(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return undefined; // It has ended, or it belongs to somebody else.
  }
}
