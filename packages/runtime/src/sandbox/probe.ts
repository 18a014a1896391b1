// Whether this machine has a working sandbox, found out by starting a program in it.
import { execFile } from "node:child_process";
import { findProgram, type ProgramPlaces } from "../programs/index.ts";
import { isolation } from "./bubblewrap-arguments.ts";
import type { SandboxKind } from "./sandbox.ts";

export type Probe =
  | {
      readonly works: true;
      readonly kind: SandboxKind;
      /** Absolute. */
      readonly program: string;
      readonly canDisableUserNamespaces: boolean;
    }
  | { readonly works: false; readonly reason: string; readonly fix: string };

export interface ProbeOptions extends ProgramPlaces {
  readonly platform: NodeJS.Platform;
}

export const installCommands =
  "Debian, Ubuntu: apt-get install bubblewrap socat. Fedora: dnf install bubblewrap socat. Arch: pacman -S bubblewrap socat.";

/** One answer a program for the life of the process. */
const answers = new Map<string, Promise<Probe>>();

/** @effects the first time: starts the sandbox once with `true` */
export async function probeSandbox(options: ProbeOptions): Promise<Probe> {
  const { platform } = options;
  if (platform === "linux") {
    const program = await findProgram("bwrap", options);
    if (program === undefined) {
      return { works: false, reason: "bubblewrap (bwrap) is not installed", fix: installCommands };
    }
    return remembered(program, () => probeBubblewrap(program));
  }
  if (platform === "darwin") {
    return remembered("/usr/bin/sandbox-exec", (program) => probeSeatbelt(program));
  }
  return {
    works: false,
    reason: `there is no sandbox for ${platform}`,
    fix: "Use Linux, macOS or WSL 2, or approve each command.",
  };
}

function remembered(program: string, probe: (program: string) => Promise<Probe>): Promise<Probe> {
  const known = answers.get(program);
  if (known !== undefined) return known;
  const answer = probe(program);
  answers.set(program, answer);
  return answer;
}

async function probeBubblewrap(program: string): Promise<Probe> {
  let problem = "";
  // Bubblewrap before 0.8 cannot forbid further user namespaces; all else is the same.
  for (const canDisableUserNamespaces of [true, false]) {
    const args = [...isolation(canDisableUserNamespaces), "--", "/bin/true"];
    const result = await tried(program, args);
    if (result === undefined) return { works: true, kind: "bubblewrap", program, canDisableUserNamespaces };
    problem ||= result;
    if (!/disable-userns/.test(result)) break;
  }
  return { works: false, reason: `bubblewrap does not work here: ${problem}`, fix: fixFor(problem) };
}

async function probeSeatbelt(program: string): Promise<Probe> {
  const problem = await tried(program, ["-p", "(version 1)(allow default)(deny network*)", "/usr/bin/true"]);
  if (problem === undefined)
    return { works: true, kind: "seatbelt", program, canDisableUserNamespaces: false };
  return {
    works: false,
    reason: `sandbox-exec does not work here: ${problem}`,
    fix: "It is part of macOS; do not start Codelia inside another sandbox.",
  };
}

function fixFor(problem: string): string {
  if (/uid map|new namespace|unshare|user namespace/i.test(problem)) {
    return (
      "Allow user namespaces: sysctl kernel.unprivileged_userns_clone=1, on Ubuntu " +
      "sysctl kernel.apparmor_restrict_unprivileged_userns=0 or an AppArmor profile for bwrap, " +
      "in a container --security-opt seccomp=unconfined."
    );
  }
  if (/mount proc/i.test(problem)) return "In a container: --security-opt systempaths=unconfined.";
  return "See docs/sandbox.md.";
}

/** @output what went wrong, on one line; undefined when it ran */
function tried(program: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, args, { env: {}, timeout: 10_000, encoding: "utf8" }, (error, _, stderr) => {
      const [line = ""] = stderr.trim().split("\n");
      resolve(error === null ? undefined : line.replace(/^bwrap: /, "") || error.message);
    });
  });
}
