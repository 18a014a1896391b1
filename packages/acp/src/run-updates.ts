// A run's events as updates of an editor's session.
import type { ClientCapabilities, SessionUpdate, ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { ConfirmParams, ConfirmResult, RunEvent } from "@codelia/protocol";
import { pipedText } from "@codelia/shared-types";
import type { CallIds } from "./call-ids.ts";
import { planUpdate } from "./plan.ts";
import { diffContent, kindOf, outputContent, titleOf } from "./tool-content.ts";

export type Send = (update: SessionUpdate) => void;

/** What an editor said that it can show. */
export type ShownThings = Pick<NonNullable<ClientCapabilities["session"]>, "notices" | "compaction">;

export class RunUpdates {
  readonly #send: Send;
  readonly #ids: CallIds;
  readonly #shown: ShownThings;
  /** Names the answer of one attempt of one turn: what came of an attempt that broke off is another message. */
  #message = "";
  #compactionId = "";
  /** Questions that were answered and that no call has followed yet: whether the answer was yes. */
  readonly #answered = new Map<string, boolean>();
  #hasStarted = false;
  /** Why a call was denied, in the words for people; its result has those for the model. */
  readonly #denials = new Map<string, string>();

  constructor(send: Send, ids: CallIds, shown: ShownThings) {
    this.#send = send;
    this.#ids = ids;
    this.#shown = shown;
    ids.begin();
  }

  show(event: RunEvent): void {
    switch (event.type) {
      case "run.started":
        this.#hasStarted = true;
        for (const notice of event.notices) this.notice(notice);
        break;
      case "run.notice":
        this.notice(event.text);
        break;
      case "turn.started":
        this.#message = crypto.randomUUID();
        break;
      case "turn.restarted":
        this.#message = crypto.randomUUID();
        this.notice(`The answer broke off and is asked for again (${event.attempt}): ${event.reason}`);
        break;
      case "text.delta":
        this.#chunk("agent_message_chunk", event.text);
        break;
      case "reasoning.delta":
        this.#chunk("agent_thought_chunk", event.text);
        break;
      case "tool.started":
        this.#answered.delete(event.call_id);
        this.#started(event);
        break;
      case "tool.finished":
        this.#answered.delete(event.call_id);
        this.#finished(event);
        break;
      case "compaction.started":
        this.#compactionId = crypto.randomUUID();
        this.#compaction("in_progress", "The context is full: a summary takes the place of its oldest part.");
        break;
      case "compaction.finished":
        this.#compaction("completed");
        break;
      case "compaction.failed":
        this.#compaction("failed", `No room could be made in the context: ${event.reason}`);
        break;
      case "permission.decided":
        if (event.decision === "deny") this.#denials.set(event.call_id, event.reason);
        break;
      case "todo.changed":
        this.#send(planUpdate(event.items));
        break;
      // The editor wrote the user's message itself, and gets the result with the answer.
      case "user.message":
      case "usage":
        break;
      case "run.finished":
        this.#closeAnswered();
        break;
    }
  }

  /** A call about which the user is asked. @output what the question shows of it */
  asked({ call_id, tool, title, detail, preview, changes = [] }: ConfirmParams): ToolCallUpdate {
    const isNew = !this.#ids.has(call_id);
    const diffs = diffContent(changes);
    const call = {
      toolCallId: this.#ids.of(call_id),
      title: titleOf(title),
      kind: kindOf(tool),
      status: "pending" as const,
      content: diffs.length > 0 ? diffs : outputContent(preview ?? detail),
      ...(changes.length === 0 ? {} : { locations: changes.map(({ path }) => ({ path })) }),
    };
    if (isNew) this.#send({ sessionUpdate: "tool_call", ...call });
    return call;
  }

  /** A question before the run, or about a server, is about no call that would go on and come to an end. */
  answered({ call_id }: ConfirmParams, { decision }: ConfirmResult): void {
    this.#answered.set(call_id, decision !== "deny");
    if (!this.#hasStarted) this.#closeAnswered();
  }

  #closeAnswered(): void {
    for (const [callId, isYes] of this.#answered) {
      this.#send({
        sessionUpdate: "tool_call_update",
        toolCallId: this.#ids.of(callId),
        status: isYes ? "completed" : "failed",
      });
    }
    this.#answered.clear();
  }

  /** What the user should know, where an editor has a place for it; else among the thoughts. */
  notice(text: string): void {
    const title = pipedText(text);
    if (this.#shown.notices) this.#send({ sessionUpdate: "notice", severity: "warning", title });
    else this.#chunk("agent_thought_chunk", `${title}\n`);
  }

  #chunk(sessionUpdate: "agent_message_chunk" | "agent_thought_chunk", text: string): void {
    const message = this.#message === "" ? {} : { messageId: `${this.#message}-${sessionUpdate}` };
    this.#send({ sessionUpdate, content: { type: "text", text: pipedText(text) }, ...message });
  }

  #started({
    call_id,
    tool,
    title,
    paths = [],
    changes = [],
  }: Extract<RunEvent, { type: "tool.started" }>): void {
    const isNew = !this.#ids.has(call_id);
    const content = diffContent(changes);
    const call = {
      toolCallId: this.#ids.of(call_id),
      title: titleOf(title),
      kind: kindOf(tool),
      status: "in_progress" as const,
      locations: paths.map((path) => ({ path })),
      ...(content.length === 0 ? {} : { content }),
    };
    this.#send(
      isNew ? { sessionUpdate: "tool_call", ...call } : { sessionUpdate: "tool_call_update", ...call },
    );
  }

  #finished(event: Extract<RunEvent, { type: "tool.finished" }>): void {
    const { call_id, tool, title, output, is_error } = event;
    const isNew = !this.#ids.has(call_id);
    const kind = kindOf(tool);
    const call = {
      toolCallId: this.#ids.of(call_id),
      status: is_error ? ("failed" as const) : ("completed" as const),
      // The diff of an edit says more than that it was done.
      ...(kind === "edit" && !is_error
        ? {}
        : { content: outputContent(this.#denials.get(call_id) ?? output) }),
    };
    if (!isNew) this.#send({ sessionUpdate: "tool_call_update", ...call });
    else this.#send({ sessionUpdate: "tool_call", ...call, title: titleOf(title), kind });
  }

  #compaction(status: "in_progress" | "completed" | "failed", words?: string): void {
    if (!this.#shown.compaction) {
      if (words !== undefined) this.notice(words);
      return;
    }
    this.#send({
      sessionUpdate: "compaction_update",
      compactionId: this.#compactionId,
      status,
      ...(status === "failed" ? { error: words ?? "" } : {}),
    });
  }
}
