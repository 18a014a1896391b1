// One process of `codelia rpc` that works for long: what it holds is looked at from outside.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { connect, streamTransport, type WireClient } from "@codelia/protocol/wire";
import { z } from "zod";
import { type ProcessState, startRpc, stateOf } from "../support/rpc-process.ts";
import { TemporaryTree } from "../support/tree.ts";

const turnsOfRun = 20;

const HeldSchema = z.strictObject({ heapMb: z.number(), objects: z.number() });
export type Held = z.infer<typeof HeldSchema>;

export class SoakDesk implements AsyncDisposable {
  readonly tree: TemporaryTree;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly client: WireClient;

  private constructor(tree: TemporaryTree, child: ChildProcessWithoutNullStreams, client: WireClient) {
    this.tree = tree;
    this.#child = child;
    this.client = client;
  }

  static async open(): Promise<SoakDesk> {
    const turns = [
      { reasoning: "Hm.", tool_calls: [{ name: "read", arguments: { path: "a.txt" } }], text: "Reading it." },
      { tool_calls: [{ name: "grep", arguments: { pattern: "line 7" } }] },
      { tool_calls: [{ name: "write", arguments: { path: "b.txt", content: "x\n".repeat(200) } }] },
      { tool_calls: [{ name: "bash", arguments: { command: "echo hello" } }] },
    ];
    const script = [
      ...Array.from({ length: turnsOfRun - 1 }, (_, index) => turns[index % 20 === 3 ? 3 : index % 3]),
      { text: "Done." },
    ];
    const tree = new TemporaryTree({
      "home/": "",
      "repo/.git/": "",
      "repo/a.txt": Array.from({ length: 300 }, (_, line) => `line ${line}\n`).join(""),
      "script.json": JSON.stringify({ turns: script }),
    });
    const child = startRpc({
      cwd: tree.at("repo"),
      home: tree.at("home"),
      args: ["--trust"],
      main: "test/soak/server.ts",
    });
    const transport = streamTransport(child.stdout, child.stdin);
    return new SoakDesk(tree, child, await connect(transport, { client: { name: "soak", version: "1" } }));
  }

  /** @output how many turns the run took */
  async run(): Promise<number> {
    const result = await this.client.call("run.start", {
      cwd: this.tree.at("repo"),
      prompt: "Look, write, run.",
      images: [],
      approval: "full",
      compact: true,
      model: `scripted/${this.tree.at("script.json")}`,
    });
    if (result.status !== "done") throw new Error(`${result.status}: ${result.error}`);
    return result.turns;
  }

  /** Enters a session, says something, and leaves it. */
  async reopen(id: string): Promise<void> {
    const cwd = this.tree.at("repo");
    await this.client.call("session.open", { cwd, id });
    const { session } = await this.client.call("session.fork", { cwd, id });
    await this.client.call("session.history", { cwd, id: session.id, limit: 20 });
    await this.client.call("session.delete", { cwd, id: session.id });
  }

  async sessionId(): Promise<string> {
    const { sessions } = await this.client.call("session.list", {
      cwd: this.tree.at("repo"),
      all: false,
      limit: 1,
    });
    return sessions[0]?.id ?? "";
  }

  /** What the process holds when all that can be given back was. */
  async held(): Promise<Held> {
    const told = new Promise<Held>((resolve) => {
      this.#child.stderr.once("data", (chunk: Buffer) =>
        resolve(HeldSchema.parse(JSON.parse(chunk.toString()))),
      );
    });
    this.#child.kill("SIGUSR2");
    return await told;
  }

  state(): ProcessState {
    return stateOf(this.#child.pid ?? 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = new Promise((resolve) => this.#child.on("close", resolve));
    await this.client.close();
    await exited;
    this.tree[Symbol.dispose]();
  }
}
