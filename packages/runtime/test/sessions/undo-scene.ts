// A project in which a scripted model works, and its sessions are undone through the protocol.
import { cpSync, lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Client, connectInProcess, type Params, ProtocolError, type Result } from "@codelia/protocol";
import type { SessionRecord } from "@codelia/shared-types";
import { type Disk, nodeDisk, nodeFileSystem } from "@codelia/storage";
import { TemporaryTree, type TreeDescription } from "../../../../test/support/tree.ts";
import { createHandlers } from "../../src/rpc/index.ts";
import { findSessions, readRecords } from "../../src/sessions/index.ts";

export interface Prompt {
  readonly prompt?: string;
  /** Calls of tools, one a turn. */
  readonly calls: readonly (readonly [tool: string, args: unknown])[];
  readonly session?: Params<"run.start">["session"];
  readonly disk?: Disk;
  /** What the last turn expects of its request. */
  readonly expect?: unknown;
  /** Said while the first call runs. */
  readonly steering?: string;
}

export class UndoScene extends TemporaryTree {
  #time = Date.UTC(2026, 0, 1);
  #scripts = 0;

  constructor(description: TreeDescription) {
    super({ "home/": "", "repo/.git/": "" });
    this.add(Object.fromEntries(Object.entries(description).map(([name, each]) => [`repo/${name}`, each])));
  }

  /** A path in the project. */
  in(...names: string[]): string {
    return this.at("repo", ...names);
  }

  client(disk: Disk = nodeDisk): Client {
    const environment = {
      env: {},
      userHome: this.at("home"),
      fs: nodeFileSystem,
      disk,
      version: "0.0.0",
      now: () => {
        this.#time += 1000;
        return new Date(this.#time);
      },
      fetch: () => Promise.reject(new Error("no network")),
      executable: process.execPath,
    };
    return connectInProcess(createHandlers(environment, { settings: [], trust: true }));
  }

  /** Runs a prompt, in a new session unless told otherwise. */
  async run({
    prompt = "do it",
    calls,
    session,
    disk,
    expect,
    steering,
  }: Prompt): Promise<Result<"run.start">> {
    const turns = calls.map(([name, args]) => ({ tool_calls: [{ name, arguments: args }] }));
    this.#scripts += 1;
    const script = `script-${this.#scripts}.json`;
    const last = { text: "Done.", ...(expect === undefined ? {} : { expect }) };
    this.add({ [script]: JSON.stringify({ turns: [...turns, last] }) });
    const client = this.client(disk);
    let runId = "";
    return await client.call(
      "run.start",
      {
        cwd: this.in(),
        prompt,
        images: [],
        model: `scripted/${this.at(script)}`,
        approval: "full",
        compact: true,
        ...(session === undefined ? {} : { session }),
      },
      {
        emit: (event) => {
          if (event.type === "run.started") runId = event.run_id;
          if (event.type !== "tool.started" || event.call_id !== "call_1_1" || steering === undefined) return;
          void client.call("run.steer", { run_id: runId, text: steering });
        },
      },
    );
  }

  /** Goes on with the last session. */
  goOn(prompt: Omit<Prompt, "session">): Promise<Result<"run.start">> {
    return this.run({ ...prompt, session: { how: "continue" } });
  }

  undo(options: Partial<Params<"session.undo">> = {}, disk?: Disk): Promise<Result<"session.undo">> {
    return this.client(disk).call("session.undo", { cwd: this.in(), dry_run: false, ...options });
  }

  /** Why an undo is refused, as a person is told; any other error fails the test. */
  async refusal(options: Partial<Params<"session.undo">> = {}, disk?: Disk): Promise<ProtocolError> {
    try {
      await this.undo(options, disk);
    } catch (error) {
      if (error instanceof ProtocolError) return error;
      throw error;
    }
    throw new Error("the undo was not refused");
  }

  /** Every file of the project with its bytes; directories are left out. */
  contents(): Record<string, string> {
    return this.#snapshot((path) => contentOf(path));
  }

  /** The same with their modes, which depend on the umask. */
  files(): Record<string, string> {
    return this.#snapshot((path) => `${(lstatSync(path).mode & 0o7777).toString(8)} ${contentOf(path)}`);
  }

  #snapshot(describe: (path: string) => string): Record<string, string> {
    const names = readdirSync(this.in(), { recursive: true, encoding: "utf8" }).toSorted();
    return Object.fromEntries(
      names.flatMap((name) => {
        return lstatSync(this.in(name)).isDirectory() ? [] : [[name, describe(this.in(name))]];
      }),
    );
  }

  /** The folder of the only session. */
  async session(): Promise<string> {
    const [found] = await findSessions(nodeDisk, { codeliaHome: this.at("home/.codelia") });
    if (found === undefined) throw new Error("there is no session");
    return found.directory;
  }

  async records(): Promise<SessionRecord[]> {
    const records: SessionRecord[] = [];
    for await (const { record } of readRecords(nodeDisk, await this.session())) records.push(record);
    return records;
  }

  /** Keeps the project and its sessions as they are now, for `restore`. */
  save(): void {
    for (const name of ["repo", "home"]) cpSync(this.at(name), this.at("saved", name), { recursive: true });
  }

  restore(): void {
    for (const name of ["repo", "home"]) {
      this.remove(name);
      cpSync(this.at("saved", name), this.at(name), { recursive: true });
    }
  }

  /** After a process was killed: in a test it is this one, which lives, so that its locks would hold. */
  async removeLocks(): Promise<void> {
    const directory = await this.session();
    for (const name of readdirSync(directory)) {
      if (name.includes("lock")) rmSync(join(directory, name));
    }
  }
}

function contentOf(path: string): string {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  return stats.isFile() ? readFileSync(path, "latin1") : "special";
}

/** A patch in the form that `apply_patch` takes. */
export function patch(...lines: string[]): readonly [string, unknown] {
  return ["apply_patch", { patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") }];
}

export function read(path: string): readonly [string, unknown] {
  return ["read", { path }];
}

export function write(path: string, content: string): readonly [string, unknown] {
  return ["write", { path, content }];
}

export function edit(path: string, old: string, fresh: string): readonly [string, unknown] {
  return ["edit", { path, old, new: fresh }];
}

export function bash(command: string): readonly [string, unknown] {
  return ["bash", { command }];
}
