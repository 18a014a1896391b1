// What a session amounts to, folded from its records in one pass.
import { type CallProgress, Conversation } from "@codelia/core";
import type { SessionEntry, SessionRecordOf } from "@codelia/shared-types";
import type { StartRecord } from "./read-records.ts";

export interface SessionState {
  readonly start: StartRecord;
  readonly conversation: Conversation;
  /** Where the last run took place, and with which model. */
  readonly last: { readonly cwd: string; readonly root: string; readonly model: string };
  /** How the last run ended; absent: it did not, the process was ended. */
  readonly ended: SessionRecordOf<"run.end">["status"] | undefined;
  /** How far each call without a result got. */
  readonly progress: ReadonlyMap<string, CallProgress>;
  /** Arguments of the last `todo` call that went well, as the model wrote them. */
  readonly todo: string | undefined;
  /** Files that were put back since the model was last told. */
  readonly undone: readonly string[];
  /** Calls that the user allowed for the session, as JSON. */
  readonly allowedCalls: readonly string[];
}

export class SessionFold {
  readonly conversation = new Conversation();
  #start: StartRecord | undefined;
  #last = { cwd: "", root: "", model: "" };
  #ended: SessionState["ended"];
  #progress = new Map<string, CallProgress>();
  #todoCalls = new Map<string, string>();
  #todo: string | undefined;
  #undone = new Set<string>();
  #allowedCalls = new Set<string>();

  apply(entry: SessionEntry): void {
    const { record } = entry;
    this.conversation.apply(entry);
    switch (record.type) {
      case "session.start":
        this.#start = record;
        this.#place(record);
        break;
      case "session.resume":
        this.#place(record);
        break;
      case "message.user":
        this.#ended = undefined;
        break;
      case "message.assistant":
        this.#ended = undefined;
        this.#answer(record);
        break;
      case "permission": {
        const { rule } = record.decision;
        if (rule?.scope === "session" && rule.call !== undefined) this.#allowedCalls.add(rule.call);
        break;
      }
      case "tool.intent":
        this.#progress.set(record.callId, record.effect ? "effect" : "looking");
        break;
      case "message.tool":
        if (!record.message.isError) {
          this.#todo = this.#todoCalls.get(record.message.toolCallId) ?? this.#todo;
        }
        break;
      case "undo":
        for (const path of record.paths) this.#undone.add(path);
        break;
      case "reminder":
        if (record.kind === "session.resume.diff") this.#undone.clear();
        break;
      case "run.end":
        this.#ended = record.status;
        break;
      case "session.context":
      case "skills.known":
      case "request":
      case "request.failed":
      case "images.refused":
      case "files.change":
      case "compaction":
      case "compaction.failed":
      case "limit":
      case "flow.query":
      case "undo.intent":
        break;
    }
  }

  /** Absent before the first record. */
  get start(): StartRecord | undefined {
    return this.#start;
  }

  state(start: StartRecord): SessionState {
    return {
      start,
      conversation: this.conversation,
      last: this.#last,
      ended: this.#ended,
      progress: this.#progress,
      todo: this.#todo,
      undone: [...this.#undone],
      allowedCalls: [...this.#allowedCalls],
    };
  }

  #place({ cwd, root, model }: { cwd: string; root: string; model: string }): void {
    this.#last = { cwd, root, model };
  }

  /** Ids of calls count within one answer only: a provider may use them again. */
  #answer({ message }: SessionRecordOf<"message.assistant">): void {
    this.#progress = new Map();
    this.#todoCalls = new Map();
    for (const part of message.content) {
      if (part.type === "tool_call" && part.name === "todo") this.#todoCalls.set(part.id, part.arguments);
    }
  }
}
