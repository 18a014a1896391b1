// What the journal of a session says about the last query of a flow in it.
import { addedUsage, noUsage } from "@codelia/core";
import type { FileChangeRecord, SessionEntry, SessionRecordOf, Usage } from "@codelia/shared-types";
import { goOn } from "../sessions/index.ts";

export class QueryFold {
  #query: SessionRecordOf<"flow.query"> | undefined;
  #prompt: string | undefined;
  #answer: string | undefined;
  #hasPart = false;
  #usage: Usage = noUsage;
  readonly #changes = new Map<string, readonly FileChangeRecord[]>();
  readonly #titles = new Map<string, string>();

  /** The query that came last. */
  get query(): SessionRecordOf<"flow.query"> | undefined {
    return this.#query;
  }

  /** What was asked last. */
  get prompt(): string | undefined {
    return this.#prompt;
  }

  /** The model's last words about it, when it had no more calls to make. */
  get answer(): string | undefined {
    return this.#answer;
  }

  /** An answer broke off, and its beginning is the last that was said. */
  get hasPart(): boolean {
    return this.#hasPart;
  }

  /** Of this query. */
  get usage(): Usage {
    return this.#usage;
  }

  /** Files that a call was about to change. */
  changesOf(callId: string): readonly FileChangeRecord[] | undefined {
    return this.#changes.get(callId);
  }

  /** What a call was about to do, in one line. */
  titleOf(callId: string): string | undefined {
    return this.#titles.get(callId);
  }

  apply({ record }: SessionEntry): void {
    switch (record.type) {
      case "flow.query":
        this.#query = record;
        this.#usage = noUsage;
        this.#answer = undefined;
        break;
      case "message.user": {
        const text = textOf(record.message.content);
        if (!record.steering && text !== goOn) this.#prompt = text;
        this.#answer = undefined;
        this.#hasPart = false;
        break;
      }
      case "message.assistant": {
        const { message, interrupted, usage } = record;
        const isLast = !interrupted && !message.content.some(({ type }) => type === "tool_call");
        this.#answer = isLast ? textOf(message.content, "") : undefined;
        this.#hasPart = interrupted;
        if (usage !== undefined) this.#usage = addedUsage(this.#usage, usage);
        break;
      }
      case "compaction":
      case "compaction.failed":
        if (record.usage !== undefined) this.#usage = addedUsage(this.#usage, record.usage);
        break;
      case "tool.intent":
        this.#titles.set(record.callId, record.title);
        break;
      case "files.change":
        this.#changes.set(record.callId, record.changes);
        break;
      case "session.start":
      case "session.context":
      case "session.resume":
      case "reminder":
      case "skills.known":
      case "request":
      case "request.failed":
      case "images.refused":
      case "permission":
      case "message.tool":
      case "limit":
      case "run.end":
      case "undo.intent":
      case "undo":
        break;
    }
  }
}

function textOf(
  parts: readonly { readonly type: string; readonly text?: string }[],
  separator = "\n",
): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text ?? ""] : [])).join(separator);
}
