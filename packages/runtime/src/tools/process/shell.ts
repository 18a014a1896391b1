// How a command is started: by bash, or by sh where there is no bash, without a terminal and without questions.
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { ToolError } from "@codelia/core";
import { visibleName } from "@codelia/shared-types";
import {
  commandGitEnvironment,
  foldersOutside,
  pathFolders,
  unaskedGitEnvironment,
  withUnaskedGit,
} from "../../programs/index.ts";
import type { Command } from "../../sandbox/index.ts";
import { markVariable } from "./process-table.ts";

export interface ShellCommand {
  readonly file: string;
  readonly args: readonly string[];
}

export interface PipedCommand extends ShellCommand {
  /** The first line of the output is the id of the process that carries the rest. */
  readonly hasCarrier: boolean;
}

// Fixed places: a program that the workspace put on the PATH must not run.
const fixedPlaces = ["/bin", "/usr/bin", "/usr/local/bin", "/run/current-system/sw/bin"];

/**
 * Standard output and error go to one pipe, so that their order is kept. It has to be a real pipe: what the
 * runtime gives a child is a socket, on which `echo x > /dev/stderr` fails. `cat` carries the pipe's content to
 * the socket; it ignores SIGTERM from its first moment and ends when the last writer does. Its own id is the first line
 * that it writes: whoever ends the command's processes spares it, so that nothing written is lost. Both stand outside
 * of the sandbox: what is inside ends with the command, before everything is read.
 */
const viaPipe = `trap '' TERM; exec 3> >(echo "$BASHPID"; exec "$0"); trap - TERM; exec "$@" >&3 2>&1 3>&-`;
const direct = `exec "$@" 2>&1`;

/**
 * @input  isUnasked: nobody was asked about the command, so git starts nothing that the repository names
 * @output the shell that runs a command; it reads BASH_ENV, as a user's bash would
 */
export async function shellCommand(command: string, isUnasked: boolean): Promise<ShellCommand> {
  const bash = await inFixedPlaces("bash");
  if (bash === undefined) return { file: "/bin/sh", args: ["-c", command] };
  return { file: bash, args: ["-c", isUnasked ? withUnaskedGit(command) : command] };
}

/**
 * @input  words: a program, by its name on the PATH or by its path, and its arguments
 * @error  ToolError when there is no such program
 */
export async function plainCommand(
  [name = "", ...args]: readonly string[],
  cwd: string,
  path: string | undefined,
): Promise<ShellCommand> {
  const places = name.includes("/")
    ? [resolve(cwd, name)]
    : pathFolders(path).map((folder) => join(folder, name));
  for (const file of name === "" ? [] : places) if (await isProgram(file)) return { file, args };
  throw new ToolError(
    `There is no program ${visibleName(name)}${name.includes("/") ? "" : " on the PATH"}: install it, or correct the name.`,
  );
}

/** @output how to start the program so that what it writes comes out of one pipe; exit code and signal are its own */
export async function throughPipe({ file, args }: Pick<Command, "file" | "args">): Promise<PipedCommand> {
  const [bash, cat] = [await inFixedPlaces("bash"), await inFixedPlaces("cat")];
  if (bash === undefined || cat === undefined)
    return { file: "/bin/sh", args: ["-c", direct, "sh", file, ...args], hasCarrier: false };
  // -p: this shell reads no BASH_ENV.
  return { file: bash, args: ["-p", "-c", viaPipe, cat, file, ...args], hasCarrier: true };
}

const known = new Map<string, Promise<string | undefined>>();

/** Looked up once. */
function inFixedPlaces(name: string): Promise<string | undefined> {
  const place = known.get(name) ?? firstExecutable(name);
  known.set(name, place);
  return place;
}

async function firstExecutable(name: string): Promise<string | undefined> {
  for (const folder of fixedPlaces) {
    const path = `${folder}/${name}`;
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

export interface ShellPlace {
  readonly cwd: string;
  /** Nothing is found there by a command that nobody was asked about; undefined: somebody was. */
  readonly unaskedIn: string | undefined;
}

/** Nothing pages, asks or paints; no program is found in a folder that depends on where a command stands. */
export async function shellEnvironment(
  env: Readonly<Record<string, string>>,
  { cwd, unaskedIn }: ShellPlace,
  mark: string,
): Promise<Record<string, string>> {
  const folders = pathFolders(env.PATH);
  const searched = unaskedIn === undefined ? folders : await foldersOutside(unaskedIn, folders);
  return {
    ...(unaskedIn === undefined ? commandGitEnvironment(env) : unaskedGitEnvironment(env)),
    ...(env.PATH === undefined ? {} : { PATH: searched.join(delimiter) }),
    TERM: "dumb",
    NO_COLOR: "1",
    PWD: cwd,
    [markVariable]: mark,
  };
}
