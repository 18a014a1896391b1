// How a command is started: by bash, or by sh where there is no bash, without a terminal and without questions.
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { markVariable } from "./process-table.ts";

export interface ShellCommand {
  readonly file: string;
  readonly args: readonly string[];
}

// Fixed places: a `bash` that the workspace put on the PATH must not run.
const bashPlaces = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/run/current-system/sw/bin/bash"];

/**
 * Standard output and error go to one pipe, so that their order is kept. It has to be a real pipe: what the
 * runtime gives a child is a socket, on which `echo x > /dev/stderr` fails. `cat` carries the pipe's content to
 * the socket; it ignores SIGTERM and ends when the last writer does, so that nothing written is lost.
 */
const viaPipe = `exec "$0" -c "$1" > >(trap '' TERM; exec cat) 2>&1`;
const direct = `exec "$0" -c "$1" 2>&1`;

/** @output how to run `command`; its exit code or signal is that of the process */
export async function shellCommand(command: string): Promise<ShellCommand> {
  for (const bash of bashPlaces) {
    const isThere = await access(bash, constants.X_OK).then(
      () => true,
      () => false,
    );
    // -p: the outer shell reads no BASH_ENV; the inner one does, as a user's bash would.
    if (isThere) return { file: bash, args: ["-p", "-c", viaPipe, bash, command] };
  }
  return { file: "/bin/sh", args: ["-c", direct, "/bin/sh", command] };
}

/** Nothing pages, asks or paints. */
export function shellEnvironment(
  env: Readonly<Record<string, string>>,
  cwd: string,
  mark: string,
): Record<string, string> {
  return {
    ...env,
    PAGER: "cat",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    TERM: "dumb",
    NO_COLOR: "1",
    PWD: cwd,
    [markVariable]: mark,
  };
}
