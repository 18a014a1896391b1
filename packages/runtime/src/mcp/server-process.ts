// The process of a stdio server: in the sandbox where there is one, without the user's secrets, and gone with its session.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { isAbsolute } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findOnPath, pathFolders } from "../programs/index.ts";
import type { Sandbox } from "../sandbox/index.ts";
import { childEnvironment, type Secret } from "../secrets/index.ts";
import { endProcesses, markVariable } from "../tools/index.ts";
import { directoryOf, type StdioConfigured } from "./configured-server.ts";
import { McpError, messageOf } from "./error.ts";

export interface ProcessPlace {
  /** The project's root. */
  readonly root: string;
  /** The user's environment, secrets included. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Those that are known, whatever the variables are called that hold them. */
  readonly secrets: readonly Secret[];
  /** This server's own. */
  readonly sandbox: Sandbox;
}

// Of what a server says on standard error, for the message when it dies.
const maxLastWords = 4096;
// A server that was told that its input has ended may tidy up for so long.
const farewellMs = 200;

export class ServerProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #mark: string;
  readonly #isContained: boolean;
  readonly exited: Promise<string>;
  /** All that it and its children wrote was read. */
  readonly drained: Promise<unknown>;
  #hasExited = false;
  #lastWords = "";
  #ending: Promise<void> | undefined;

  private constructor(child: ChildProcessWithoutNullStreams, mark: string, isContained: boolean) {
    this.#child = child;
    this.#mark = mark;
    this.#isContained = isContained;
    this.exited = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        this.#hasExited = true;
        resolve(signal === null ? `it ended with exit code ${code ?? 0}` : `it was ended by ${signal}`);
      });
    });
    this.drained = Promise.all(
      [child.stdout, child.stderr].map((stream) => new Promise((resolve) => stream.once("end", resolve))),
    );
    child.stderr.on("data", (chunk: Buffer) => {
      this.#lastWords = (this.#lastWords + chunk.toString("utf8")).slice(-maxLastWords);
    });
    // A server that is gone cannot be written to; whoever waits for an answer hears of its end.
    child.stdin.on("error", () => undefined);
  }

  /** @error McpError when it cannot be started, or not in the sandbox */
  static async start(server: StdioConfigured, place: ProcessPlace): Promise<ServerProcess> {
    const { command, args = [] } = server.config;
    const { root, sandbox } = place;
    const file = isAbsolute(command)
      ? command
      : await findOnPath(command, { workspace: root, path: place.env.PATH });
    if (file === undefined) {
      throw new McpError(
        "start",
        server.name,
        `there is no program ${command} on your PATH outside the project`,
        "Install it, or give its absolute path as command.",
      );
    }
    const mark = randomUUID();
    const cwd = directoryOf(server, root);
    const wrapped = await sandbox
      .wrap({ file, args, cwd, env: serverEnvironment(server, place, mark) })
      .catch((error: unknown) => {
        throw new McpError("start", server.name, `the sandbox cannot hold it: ${messageOf(error)}`);
      });
    const child = spawn(wrapped.file, wrapped.args, {
      cwd: wrapped.cwd,
      env: wrapped.env,
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) =>
        reject(new McpError("start", server.name, `it cannot be started: ${error.message}`)),
      );
    });
    return new ServerProcess(child, mark, wrapped.isContained);
  }

  get output(): NodeJS.ReadableStream {
    return this.#child.stdout;
  }

  /** The end of what it said on standard error. */
  get lastWords(): string {
    return this.#lastWords.trim();
  }

  write(line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#child.stdin.write(line, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** @effects ends it and everything that it started; gently first. Returns when all is gone */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    this.#child.stdin.end();
    // What it still writes must not keep it from ending.
    this.#child.stdout.resume();
    if (!this.#hasExited) await Promise.race([this.exited, delay(farewellMs, undefined, { ref: false })]);
    await endProcesses({ group: this.#child.pid ?? 0, mark: this.#mark, isContained: this.#isContained });
    await this.exited;
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }
}

/** The user's environment without keys and tokens, then what the settings say, then what they name. */
function serverEnvironment(
  { config }: StdioConfigured,
  { env, secrets }: ProcessPlace,
  mark: string,
): Record<string, string> {
  const named = (config.passEnv ?? []).flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...childEnvironment(env, {}, secrets),
    ...(env.PATH === undefined ? {} : { PATH: pathFolders(env.PATH).join(":") }),
    ...config.env,
    ...Object.fromEntries(named),
    [markVariable]: mark,
  };
}
