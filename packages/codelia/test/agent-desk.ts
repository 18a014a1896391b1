// A repository with flow agents, a home, and the command line in them: in this process, with the real runtime and disk.
import { promises as fs } from "node:fs";
import { runCli } from "@codelia/cli";
import { connectInProcess } from "@codelia/protocol";
import { createHandlers } from "@codelia/runtime";
import { nodeDisk, nodeFileSystem } from "@codelia/storage";
import { bareIo } from "../../../test/support/cli-io.ts";
import type { Run } from "../../../test/support/codelia.ts";
import { TemporaryTree, type TreeDescription } from "../../../test/support/tree.ts";

export class AgentDesk implements Disposable {
  readonly tree: TemporaryTree;

  constructor(description: TreeDescription = {}) {
    this.tree = new TemporaryTree({ "repo/.git/": "", "home/": "", ...description });
  }

  /** As a person sees it, the tree's own path as `TREE`. */
  async agent(args: readonly string[], place = "repo"): Promise<Run> {
    const written = { stdout: "", stderr: "" };
    const stream = (name: keyof typeof written) => ({
      isTTY: false,
      drained: () => Promise.resolve(),
      write: (text: string) => {
        written[name] += text;
      },
    });
    const io = bareIo({
      stdout: stream("stdout"),
      stderr: stream("stderr"),
      workingDirectory: () => this.tree.at(place),
      connect: async (options) => connectInProcess(createHandlers(this.#environment, options)),
      readFile: (path) => fs.readFile(path),
      writeFile: (path, text) => fs.writeFile(path, text),
    });
    const code = await runCli(["agent", ...args], io);
    return { code, stdout: this.#shown(written.stdout), stderr: this.#shown(written.stderr) };
  }

  /** The JSON that a command prints. */
  async json(args: readonly string[], place = "repo"): Promise<unknown> {
    const { stdout, stderr } = await this.agent([...args, "--json"], place);
    if (stdout === "") throw new Error(stderr);
    const value: unknown = JSON.parse(stdout);
    return value;
  }

  get #environment(): Parameters<typeof createHandlers>[0] {
    return {
      env: { PATH: process.env.PATH, HOME: this.tree.at("home") },
      userHome: this.tree.at("home"),
      fs: nodeFileSystem,
      disk: nodeDisk,
      version: "0",
      now: () => new Date(),
      fetch: () => Promise.reject(new Error("no network")),
      executable: process.execPath,
    };
  }

  #shown(text: string): string {
    return text.replaceAll(this.tree.path, "TREE");
  }

  [Symbol.dispose](): void {
    this.tree[Symbol.dispose]();
  }
}

/** The files of an agent of one step, with others in their place. */
export function agentOf(directory: string, files: TreeDescription = {}): TreeDescription {
  const whole = {
    "agent.json": '{"description": "Does it"}\n',
    "steps.json": '{"steps": {"go": {"prompt": "go.md", "onPass": {"complete": true}}}}\n',
    "go.md": "Go.\n",
    ...files,
  };
  return Object.fromEntries(
    Object.entries(whole).map(([path, content]) => [`${directory}/${path}`, content]),
  );
}
