// A transcript's entries as steps: what belongs to one tool call is one of them.
import type { NoteKind, TranscriptEntry } from "@codelia/protocol";

export interface CallStep {
  readonly kind: "call";
  readonly at: string;
  readonly tool: string;
  /** What was done, in one line; absent when it was not begun. */
  readonly title: string | undefined;
  /** As the model wrote them. */
  readonly arguments: string;
  /** `open`: no result was kept. */
  readonly outcome: "done" | "failed" | "denied" | "open";
  readonly output: string;
  /** Where the whole output is, when `output` is a part of it. */
  readonly outputRef: string | undefined;
}

export type TranscriptStep =
  | CallStep
  | {
      readonly kind: "prompt";
      readonly at: string;
      readonly text: string;
      readonly images: number;
      readonly steering: boolean;
    }
  | {
      readonly kind: "answer";
      readonly at: string;
      readonly text: string;
      readonly reasoning: string;
      readonly interrupted: boolean;
    }
  | { readonly kind: "note"; readonly at: string; readonly note: NoteKind; readonly text: string };

interface OpenCall {
  readonly at: string;
  readonly tool: string;
  readonly arguments: string;
  title: string | undefined;
  isDenied: boolean;
}

export class TranscriptSteps {
  /** Of the last answer; ids count within one answer only. */
  #calls = new Map<string, OpenCall>();

  /** @output the steps that are complete with this entry */
  add(entry: TranscriptEntry): TranscriptStep[] {
    const { at } = entry;
    switch (entry.type) {
      case "prompt": {
        const { text, images, steering } = entry;
        return [{ kind: "prompt", at, text, images, steering }];
      }
      case "answer": {
        const left = this.end();
        for (const { call_id, tool, arguments: json } of entry.calls) {
          this.#calls.set(call_id, { at, tool, arguments: json, title: undefined, isDenied: false });
        }
        const { text, reasoning, interrupted } = entry;
        if (text === "" && reasoning === "" && !interrupted) return left;
        return [...left, { kind: "answer", at, text, reasoning, interrupted }];
      }
      case "permission": {
        const call = this.#calls.get(entry.call_id);
        if (call !== undefined) call.isDenied = entry.decision === "deny";
        return [];
      }
      case "call": {
        const call = this.#calls.get(entry.call_id);
        if (call !== undefined) call.title = entry.title;
        return [];
      }
      case "tool":
        return [this.#close(entry)];
      case "note":
        return [{ kind: "note", at, note: entry.kind, text: entry.text }];
    }
  }

  /** No call waits for its result. */
  get isSettled(): boolean {
    return this.#calls.size === 0;
  }

  /** @output the calls that got no result */
  end(): TranscriptStep[] {
    const open = [...this.#calls.values()].map(
      ({ at, tool, title, arguments: json }): CallStep => ({
        kind: "call",
        at,
        tool,
        title,
        arguments: json,
        outcome: "open",
        output: "",
        outputRef: undefined,
      }),
    );
    this.#calls = new Map();
    return open;
  }

  #close({
    at,
    call_id,
    tool,
    output,
    is_error,
    output_ref,
  }: Extract<TranscriptEntry, { type: "tool" }>): CallStep {
    const call = this.#calls.get(call_id);
    this.#calls.delete(call_id);
    const outcome = call?.isDenied ? "denied" : is_error ? "failed" : "done";
    return {
      kind: "call",
      at,
      tool,
      title: call?.title,
      arguments: call?.arguments ?? "",
      outcome,
      output,
      outputRef: output_ref,
    };
  }
}
