// `codelia rpc` as another program drives it: a real process, driven through the typed client.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { ProtocolError, ProtocolEvent } from "@codelia/protocol";
import { connect, streamTransport, type WireClient } from "@codelia/protocol/wire";
import { repository } from "../../../test/support/codelia.ts";
import { SessionDesk } from "./session-desk.ts";

export class RpcDesk implements AsyncDisposable {
  readonly desk: SessionDesk;
  readonly child: ChildProcessWithoutNullStreams;
  readonly exited: Promise<number>;
  stderr = "";

  constructor(args: readonly string[] = ["--trust"], desk = new SessionDesk()) {
    this.desk = desk;
    const main = `${repository}/packages/codelia/src/main.ts`;
    const cwd = desk.tree.at("repo");
    this.child = spawn(process.execPath, [main, "rpc", ...args], {
      cwd,
      env: { PATH: process.env.PATH ?? "", HOME: desk.tree.at("home"), PWD: cwd },
    });
    this.child.stderr.on("data", (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    this.exited = new Promise((resolve) => this.child.on("close", (code) => resolve(code ?? -1)));
  }

  get cwd(): string {
    return this.desk.tree.at("repo");
  }

  connect(): Promise<WireClient> {
    return connect(streamTransport(this.child.stdout, this.child.stdin), {
      client: { name: "test", version: "1" },
    });
  }

  /** What a run with this model is started with. */
  run(prompt: string, turns: readonly unknown[]) {
    const name = `script-${crypto.randomUUID()}.json`;
    this.desk.tree.add({ [name]: JSON.stringify({ turns }) });
    return {
      cwd: this.cwd,
      prompt,
      images: [],
      approval: "ask" as const,
      compact: true,
      model: `scripted/${this.desk.tree.at(name)}`,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.stdin.destroy();
    this.child.stdout.destroy();
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill("SIGKILL");
    await this.exited;
    this.desk[Symbol.dispose]();
  }
}

/** What a call failed with. */
export const code = ({ code: each }: ProtocolError) => each;

/** Follows a run until its command has begun. */
export function begun(): {
  readonly promise: Promise<string>;
  readonly emit: (event: ProtocolEvent) => void;
} {
  const { promise, resolve } = Promise.withResolvers<string>();
  let runId = "";
  const emit = (event: ProtocolEvent) => {
    if (event.type === "run.started") runId = event.run_id;
    if (event.type === "tool.started") resolve(runId);
  };
  return { promise, emit };
}
