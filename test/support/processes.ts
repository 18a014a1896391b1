// Finds processes from outside, whatever namespace they are in: by a word among their arguments that nobody else has.
import { readdirSync, readFileSync } from "node:fs";

let count = 0;

/** A number of seconds that no other process sleeps for. */
export function uniqueSleep(): string {
  count += 1;
  return `1${process.pid}${count}.25`;
}

/** Ids of the processes that sleep for so long. */
export function sleepers(seconds: string): string[] {
  return processesWhere((commandLine) => commandLine === `sleep\0${seconds}\0`);
}

/**
 * Waits until no process names the word any more. A command whose agent was killed in the moment in which its sandbox
 * started may run to its end: what it does is done then.
 */
export async function untilNobodyNames(word: string): Promise<void> {
  while (processesNaming(word).length > 0) await Bun.sleep(5);
}

/** Ids of the processes among whose arguments the word is. */
export function processesNaming(word: string): string[] {
  return processesWhere((commandLine) => commandLine.includes(word));
}

/** Ends them as a crash would; for words that only a test's own processes can name. */
export function killProcessesNaming(word: string): void {
  for (const pid of processesNaming(word)) {
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // Ended with the one before.
    }
  }
}

function processesWhere(matches: (commandLine: string) => boolean): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return matches(readFileSync(`/proc/${pid}/cmdline`, "latin1"));
    } catch {
      return false;
    }
  });
}
