// Runs the program in a real terminal (a PTY from util-linux' script) and types answers when it asks.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { repository } from "./codelia.ts";

export interface TerminalRun {
  readonly code: number;
  /** All that the terminal showed, control sequences included. */
  readonly screen: string;
}

/** Types the next answer each time the prompt appears. */
export async function inTerminal(
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly home: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly prompt: string;
    readonly answers: readonly string[];
  },
): Promise<TerminalRun> {
  const quoted = [process.execPath, join(repository, "packages/codelia/src/main.ts"), ...args].map(
    (word) => `'${word.replaceAll("'", "'\\''")}'`,
  );
  const child = spawn(
    "script",
    ["--quiet", "--flush", "--return", "--command", quoted.join(" "), "/dev/null"],
    {
      cwd: options.cwd,
      env: {
        PATH: process.env.PATH ?? "",
        HOME: options.home,
        PWD: options.cwd,
        TERM: "xterm",
        ...options.env,
      },
    },
  );
  const answers = [...options.answers];
  let screen = "";
  let seen = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    screen += chunk.toString();
    const at = screen.indexOf(options.prompt, seen);
    const answer = at < 0 ? undefined : answers.shift();
    if (at < 0 || answer === undefined) return;
    seen = at + options.prompt.length;
    child.stdin.write(`${answer}\n`);
  });
  const code = await new Promise<number>((resolve) => {
    child.on("close", (status) => resolve(status ?? -1));
  });
  return { code, screen };
}
