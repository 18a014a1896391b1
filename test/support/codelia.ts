// Runs the program as a person would, in a process of its own with an empty home.
import { resolve } from "node:path";

export const repository = resolve(import.meta.dir, "../..");

/** With this repository, so that programs of its tests stay visible to the sandbox where it lies below /tmp. */
export const pathToRepository = `${process.env.PATH ?? ""}:${repository}`;

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What comes on standard input; nothing when absent. */
  readonly stdin?: string;
  /** A program and its arguments that start the command line which follows them. */
  readonly through?: readonly string[];
}

export async function codelia(
  args: readonly string[],
  { cwd, home, env = {}, stdin = "", through = [] }: RunOptions,
): Promise<Run> {
  const main = resolve(repository, "packages/codelia/src/main.ts");
  const child = Bun.spawn([...through, process.execPath, main, ...args], {
    cwd,
    // PWD as a shell would set it: the logical path.
    env: { PATH: process.env.PATH ?? "", HOME: home, PWD: cwd, ...env },
    stdin: new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}
