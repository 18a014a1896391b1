// Which process is which: a process id alone is given out again, together with the process's start it is not.
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { promisify } from "node:util";
import { errorCode } from "@codelia/shared-types";

export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** When the process started, in the system's own words; undefined where it does not tell. */
  readonly processStart?: string | undefined;
  /** Another one after each start of the machine. */
  readonly bootId?: string | undefined;
  /** Process ids of another namespace (a container, a sandbox) mean nothing here. */
  readonly pidNamespace?: string | undefined;
}

/** The port through which locks ask about processes. */
export interface Processes {
  /** This process. */
  self(): Promise<ProcessIdentity>;
  /** @output true also where it cannot be known */
  isAlive(identity: ProcessIdentity): Promise<boolean>;
}

export const nodeProcesses: Processes = createNodeProcesses();

function createNodeProcesses(): Processes {
  let own: Promise<ProcessIdentity> | undefined;
  const self = () => {
    own ??= identify();
    return own;
  };
  return {
    self,
    async isAlive(identity) {
      const { host, bootId, pidNamespace } = await self();
      // A machine may change its name, but two machines never share the id of a boot.
      const isSameBoot = bootId !== undefined && identity.bootId === bootId;
      if (!isSameBoot && identity.host !== host) return true;
      if (differ(identity.bootId, bootId)) return false;
      if (differ(identity.pidNamespace, pidNamespace)) return true;
      if (!isThere(identity.pid)) return false;
      return !differ(identity.processStart, await startOf(identity.pid));
    },
  };
}

async function identify(): Promise<ProcessIdentity> {
  const [processStart, bootId] = await Promise.all([startOf(process.pid), bootOfMachine()]);
  const pidNamespace = attempt(() => readlinkSync("/proc/self/ns/pid"));
  return { pid: process.pid, host: hostname(), processStart, bootId, pidNamespace };
}

async function bootOfMachine(): Promise<string | undefined> {
  if (process.platform === "darwin") return await outputOf("sysctl", ["-n", "kern.bootsessionuuid"]);
  return attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim());
}

/** Only what both sides know can differ. */
function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: there, and somebody else's.
    return errorCode(error) !== "ESRCH";
  }
}

async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform === "linux")
    return attempt(() => startInStat(readFileSync(`/proc/${pid}/stat`, "latin1")));
  if (process.platform === "win32") return undefined;
  return await startFromPs(pid);
}

/** "ended" for a process that only waits to be collected: it holds nothing any more, and no start equals that. */
export function startInStat(stat: string): string | undefined {
  // The name is in brackets and may hold anything, brackets too. Fields 3 (state) and 22 (start) come after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? "ended" : fields[19];
}

/** For systems without /proc. */
export async function startFromPs(pid: number): Promise<string | undefined> {
  return await outputOf("ps", ["-o", "lstart=", "-p", String(pid)]);
}

/** Language and time zone are fixed, since the text is compared with another process's. */
async function outputOf(program: string, args: readonly string[]): Promise<string | undefined> {
  try {
    // Not needed on Linux, and not for nothing to load.
    const { execFile } = await import("node:child_process");
    const env = { PATH: "/bin:/usr/bin:/sbin:/usr/sbin", LC_ALL: "C", TZ: "UTC0" };
    const { stdout } = await promisify(execFile)(program, args, { env });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
