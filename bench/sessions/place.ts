// A repository and a home for sessions, and the compiled program in them.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export interface Place {
  readonly folder: string;
  readonly repository: string;
  readonly home: string;
}

const executable = resolve(import.meta.dir, "../../dist/codelia");

export function makePlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), "codelia-bench-sessions-"));
  const [repository, home] = [join(folder, "repository"), join(folder, "home")];
  mkdirSync(repository);
  mkdirSync(home);
  spawnSync("git", ["init", "--quiet"], { cwd: repository });
  return { folder, repository, home };
}

/** What a run with a model that gives these turns is started with. */
export function modelArguments({ folder }: Place, name: string, turns: readonly unknown[]): string[] {
  const script = join(folder, `${name}.json`);
  writeFileSync(script, JSON.stringify({ turns }));
  return ["--trust", "--approval", "full", "-m", `scripted/${script}`];
}

/** Milliseconds that the compiled program takes from its start to its end. @error when it fails */
export async function timed(place: Place, args: readonly string[]): Promise<number> {
  const start = performance.now();
  await ended(started(place, args), args);
  return performance.now() - start;
}

/** Megabytes of its largest resident size, in a run of its own, since looking slows it down; Linux only. */
export async function peakMemory(place: Place, args: readonly string[]): Promise<number> {
  const child = started(place, args);
  let peak = Number.NaN;
  const look = setInterval(() => {
    peak = peakOf(child.pid) ?? peak;
  }, 2);
  await ended(child, args).finally(() => clearInterval(look));
  return peak;
}

function started({ repository, home }: Place, args: readonly string[]) {
  return Bun.spawn([executable, ...args], {
    cwd: repository,
    env: { PATH: process.env.PATH ?? "", HOME: home, PWD: repository },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
}

async function ended(child: ReturnType<typeof started>, args: readonly string[]): Promise<void> {
  const [stderr] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (child.exitCode !== 0) throw new Error(`codelia ${args.join(" ").slice(0, 200)} failed: ${stderr}`);
}

/** The system keeps the peak itself, so that no look can miss it but the one after the last. */
function peakOf(pid: number): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : (Number(kilobytes) * 1024) / 1e6;
  } catch {
    return undefined;
  }
}
