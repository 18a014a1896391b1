// Runs a program of a test until it has ended, or has been killed, with all that it started.
import { untilNobodyNames } from "./processes.ts";

export interface EndedProcess {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** @input place: a path among the arguments, which nobody else names */
export async function processToItsEnd(
  program: string,
  place: string,
  args: readonly string[],
): Promise<EndedProcess> {
  const child = Bun.spawn([process.execPath, program, place, ...args], {
    env: { PATH: process.env.PATH ?? "" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  await untilNobodyNames(place);
  return { exitCode: child.exitCode, signal: child.signalCode, stdout, stderr };
}
