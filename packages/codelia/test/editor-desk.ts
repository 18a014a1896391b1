// An editor for tests: the official SDK's client, and the real program at the other end of real pipes.

import { join } from "node:path";
import {
  type ClientCapabilities,
  type ClientContext,
  client,
  type InitializeResponse,
  methods,
  ndJsonStream,
  type PromptResponse,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { openTrustStore } from "@codelia/config";
import { nodeFileSystem } from "@codelia/storage";
import { repository } from "../../../test/support/codelia.ts";
import { TemporaryTree, type TreeDescription } from "../../../test/support/tree.ts";

export type Answer = (
  question: RequestPermissionRequest,
) => Promise<RequestPermissionResponse> | RequestPermissionResponse;

export function choose(optionId: string): Answer {
  return () => ({ outcome: { outcome: "selected", optionId } });
}

export interface EditorOptions {
  readonly args?: readonly string[];
  readonly capabilities?: ClientCapabilities;
  readonly answer?: Answer;
}

/** A user's desk: a trusted project, a scripted model, and editors that come and go. */
export class EditorDesk implements AsyncDisposable {
  readonly tree: TemporaryTree;
  readonly #editors: Editor[] = [];

  constructor(description: TreeDescription = {}) {
    this.tree = new TemporaryTree({
      "home/": "",
      "repo/.codelia/": "",
      "repo/a.txt": "one\ntwo\n",
      ...description,
    });
  }

  get repo(): string {
    return this.tree.at("repo");
  }

  async trust(): Promise<void> {
    const codeliaHome = this.tree.at("home/.codelia");
    await openTrustStore({ fs: nodeFileSystem, codeliaHome, now: () => new Date() }).add(this.repo);
  }

  script(turns: readonly unknown[], name = "script.json"): string {
    this.tree.add({ [name]: JSON.stringify({ turns }) });
    return `scripted/${this.tree.at(name)}`;
  }

  /** Starts the program, as an editor does. */
  async editor(options: EditorOptions = {}): Promise<Editor> {
    const child = this.#program(["acp", ...(options.args ?? [])]);
    const editor = new Editor(child, options);
    this.#editors.push(editor);
    await editor.initialize(options.capabilities ?? {});
    return editor;
  }

  #program(args: readonly string[]) {
    const main = join(repository, "packages/codelia/src/main.ts");
    return Bun.spawn([process.execPath, main, ...args], {
      cwd: this.repo,
      env: { PATH: process.env.PATH ?? "", HOME: this.tree.at("home"), PWD: this.repo },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#editors.map((editor) => editor.leave()));
    this.tree[Symbol.dispose]();
  }
}

type Child = Bun.Subprocess<"pipe", "pipe", "inherit">;

export class Editor {
  readonly child: Child;
  readonly agent: ClientContext;
  readonly updates: SessionUpdate[] = [];
  readonly questions: RequestPermissionRequest[] = [];
  initialized: InitializeResponse | undefined;
  readonly #waiting: { matches: (update: SessionUpdate) => boolean; resolve: () => void }[] = [];

  constructor(child: Child, { answer = choose("deny") }: EditorOptions) {
    this.child = child;
    const output = new WritableStream<Uint8Array>({
      write: async (chunk) => {
        await child.stdin.write(chunk);
        await child.stdin.flush();
      },
    });
    const app = client({ name: "test-editor" })
      .onNotification(methods.client.session.update, ({ params }) => this.#note(params))
      .onRequest(methods.client.session.requestPermission, ({ params }) => {
        this.questions.push(params);
        return answer(params);
      });
    this.agent = app.connect(ndJsonStream(output, child.stdout)).agent;
  }

  async initialize(clientCapabilities: ClientCapabilities): Promise<void> {
    this.initialized = await this.agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientCapabilities,
      clientInfo: { name: "test-editor", version: "1.0.0" },
    });
  }

  async newSession(cwd: string): Promise<string> {
    const { sessionId } = await this.agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
    return sessionId;
  }

  prompt(sessionId: string, text: string): Promise<PromptResponse> {
    return this.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
  }

  /** Returns when an update of this kind has come, or came before. */
  seen(matches: (update: SessionUpdate) => boolean): Promise<void> {
    if (this.updates.some(matches)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ matches, resolve }));
  }

  /** The texts of the chunks of one kind, together. */
  text(kind: "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk"): string {
    return this.updates
      .map((update) =>
        update.sessionUpdate === kind && update.content.type === "text" ? update.content.text : "",
      )
      .join("");
  }

  /** Updates about tool calls. */
  calls() {
    return this.updates.filter(
      (update) => update.sessionUpdate === "tool_call" || update.sessionUpdate === "tool_call_update",
    );
  }

  /** Closes the pipe, as an editor that ends. @output the program's exit code */
  async leave(): Promise<number> {
    await this.child.stdin.end();
    return this.child.exited;
  }

  #note({ update }: SessionNotification): void {
    this.updates.push(update);
    for (const { matches, resolve } of this.#waiting) if (matches(update)) resolve();
  }
}

/** What a request failed with. */
export async function failure(
  request: Promise<unknown>,
): Promise<{ code: number; message: string; data: unknown }> {
  try {
    await request;
  } catch (error) {
    if (error instanceof RequestError) return { code: error.code, message: error.message, data: error.data };
    throw error;
  }
  throw new Error("the request succeeded");
}
