// A session that an editor has open: one prompt at a time, each a run.
import type {
  AvailableCommand,
  ContentBlock,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
  StopReason,
} from "@agentclientprotocol/sdk";
import { RequestError } from "@agentclientprotocol/sdk";
import {
  type Client,
  type ClientServer,
  type ConfirmParams,
  type ConfirmResult,
  type Params,
  type Result,
  UnansweredQuestion,
} from "@codelia/protocol";
import type { ApprovalMode } from "@codelia/shared-types";
import { CallIds } from "./call-ids.ts";
import { failedRun } from "./errors.ts";
import { historyUpdates } from "./history-updates.ts";
import { confirmResult, permissionOptions } from "./permission.ts";
import { planUpdate } from "./plan.ts";
import { promptContent } from "./prompt-content.ts";
import { RunUpdates, type ShownThings } from "./run-updates.ts";
import { asMention, isUndo, undoWords } from "./slash-commands.ts";

/** The editor's side of a session. */
export interface EditorPort {
  readonly update: (update: SessionUpdate) => void;
  readonly requestPermission: (
    request: Omit<RequestPermissionRequest, "sessionId">,
  ) => Promise<RequestPermissionResponse>;
  readonly shown: ShownThings;
}

export interface EditorSessionOptions {
  readonly id: string;
  readonly cwd: string;
  readonly mode: ApprovalMode;
  readonly model: string | undefined;
  /** MCP servers of the editor, for every prompt. */
  readonly servers: readonly ClientServer[];
  /** What the user should know at the first prompt. */
  readonly notices: readonly string[];
}

interface ActivePrompt {
  runId: string | undefined;
  /** Ends what is under way; questions that are open count as answered with no. */
  readonly cancelled: AbortController;
}

const historyPage = 200;

export class EditorSession {
  readonly id: string;
  readonly cwd: string;
  mode: ApprovalMode;
  /** What the user chose; absent: that of the last prompt, or the configured one. */
  model: string | undefined;
  /** Of a session that was opened again. */
  lastModel: string | undefined;
  /** As they were offered to the editor. */
  commands: Promise<readonly AvailableCommand[]> = Promise.resolve([]);
  readonly #client: Client;
  readonly #editor: EditorPort;
  readonly #ids = new CallIds();
  readonly #servers: readonly ClientServer[];
  #notices: readonly string[];
  #active: ActivePrompt | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(client: Client, editor: EditorPort, options: EditorSessionOptions) {
    this.#client = client;
    this.#editor = editor;
    this.id = options.id;
    this.cwd = options.cwd;
    this.mode = options.mode;
    this.model = options.model;
    this.#servers = options.servers;
    this.#notices = options.notices;
  }

  /**
   * @effects a run, told of as it goes on
   * @error  RequestError when a prompt is under way, or the run failed; ProtocolError
   */
  async prompt(blocks: readonly ContentBlock[]): Promise<StopReason> {
    if (this.#active !== undefined) {
      throw RequestError.invalidRequest(
        { code: "in_use", sessionId: this.id },
        "a prompt of this session is under way: wait for it, or cancel it",
      );
    }
    const content = promptContent(blocks);
    const active: ActivePrompt = { runId: undefined, cancelled: new AbortController() };
    this.#active = active;
    try {
      const working = isUndo(content.prompt) ? this.#undo() : this.#run(content, active);
      this.#ended = working.catch(() => undefined);
      return await working;
    } finally {
      this.#active = undefined;
    }
  }

  /** Ends the prompt that is under way, if there is one. */
  cancel(): void {
    const active = this.#active;
    if (active === undefined) return;
    active.cancelled.abort();
    if (active.runId !== undefined) void this.#client.call("run.cancel", { run_id: active.runId });
  }

  /** @output when nothing of it runs any more */
  async close(): Promise<void> {
    this.cancel();
    await this.#ended;
  }

  /** Tells what was said and done so far. @error ProtocolError when there is no such session */
  async replay(): Promise<void> {
    let cursor: string | undefined;
    do {
      const page: Result<"session.history"> = await this.#client.call("session.history", {
        cwd: this.cwd,
        id: this.id,
        limit: historyPage,
        ...(cursor === undefined ? {} : { cursor }),
      });
      for (const entry of page.entries) {
        for (const update of historyUpdates(entry, this.#ids)) this.#editor.update(update);
      }
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    const { todo } = await this.#client.call("session.open", { cwd: this.cwd, id: this.id });
    if (todo.length > 0) this.#editor.update(planUpdate(todo));
  }

  async #run(content: ReturnType<typeof promptContent>, active: ActivePrompt): Promise<StopReason> {
    const updates = new RunUpdates((update) => this.#editor.update(update), this.#ids, this.#editor.shown);
    for (const notice of this.#notices) updates.notice(notice);
    this.#notices = [];
    const params: Params<"run.start"> = {
      ...content,
      prompt: asMention(content.prompt, await this.commands),
      cwd: this.cwd,
      approval: this.mode,
      ...(this.model === undefined ? {} : { model: this.model }),
      session: { how: "prepared", id: this.id },
      compact: true,
      include_files: true,
      ...(this.#servers.length === 0 ? {} : { mcp_servers: [...this.#servers] }),
    };
    const result = await this.#client.call("run.start", params, {
      emit: (event) => {
        if (event.type === "run.started") {
          active.runId = event.run_id;
          // Cancelled before there was anything to cancel.
          if (active.cancelled.signal.aborted) this.cancel();
        }
        updates.show(event);
      },
      confirm: (question) => this.#ask(question, updates, active.cancelled.signal),
    });
    return this.#stopReason(result);
  }

  #stopReason(result: Result<"run.start">): StopReason {
    switch (result.status) {
      case "done":
      case "needs_permission":
        return "end_turn";
      case "interrupted":
        return "cancelled";
      case "limit":
        this.#say(`${result.error ?? "A limit was reached."}\n`);
        return "max_turn_requests";
      case "failed":
        throw failedRun(result);
    }
  }

  /**
   * An editor that is cancelled may leave a question open: the run must not wait for it.
   * @error UnansweredQuestion when it was cancelled, which is no "no" that would hold for the session
   */
  async #ask(question: ConfirmParams, updates: RunUpdates, cancelled: AbortSignal): Promise<ConfirmResult> {
    if (cancelled.aborted) throw new UnansweredQuestion();
    const { promise, resolve, reject } = Promise.withResolvers<ConfirmResult>();
    const onAbort = () => reject(new UnansweredQuestion());
    cancelled.addEventListener("abort", onAbort);
    const toolCall = updates.asked(question);
    this.#editor
      .requestPermission({ toolCall, options: permissionOptions(question) })
      .then((response) => {
        const answer = confirmResult(response);
        if (answer === undefined) onAbort();
        else resolve(answer);
      })
      .catch(() => resolve({ decision: "deny", reason: "The editor could not ask the user." }));
    try {
      const answer = await promise;
      updates.answered(question, answer);
      return answer;
    } finally {
      cancelled.removeEventListener("abort", onAbort);
    }
  }

  async #undo(): Promise<StopReason> {
    const undone = await this.#client.call("session.undo", { cwd: this.cwd, id: this.id, dry_run: false });
    this.#say(undoWords(undone));
    return "end_turn";
  }

  #say(text: string): void {
    this.#editor.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  }
}
