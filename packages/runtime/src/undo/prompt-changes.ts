// What each prompt's tools did to files, folded from a session's records.
import type { FileChangeRecord, SessionEntry, SessionRecordOf } from "@codelia/shared-types";

/** Stands for the hash of a file that is not there. */
export const noFile = "no file";

export interface ChangedFile {
  /** Real path. */
  readonly path: string;
  /** What it was before the prompt's first change of it; undefined: not there. */
  readonly before: FileChangeRecord["before"];
  /** Hashes of what the prompt's last change of it can have left. */
  left: ReadonlySet<string>;
}

export interface PromptChanges {
  /** Number of its record. */
  readonly seq: number;
  readonly text: string;
  /** By path, in the order in which they were first changed. */
  readonly files: Map<string, ChangedFile>;
  /** Titles of the commands that ran for it. */
  readonly commands: string[];
  /** Files that an undo was about to put back when it was ended. */
  readonly begun: Set<string>;
}

export class PromptChangesFold {
  /** Those that were not undone, the last one last. */
  #prompts: PromptChanges[] = [];
  /** By call; ids count within one answer only. */
  #changes = new Map<string, readonly FileChangeRecord[]>();

  /** Of all prompts that were not undone, the first one first. */
  get prompts(): readonly PromptChanges[] {
    return this.#prompts;
  }

  /** The prompt that is undone next. */
  get last(): PromptChanges | undefined {
    return this.#prompts.at(-1);
  }

  apply({ seq, record }: SessionEntry): void {
    if (record.type === "message.user" && !record.steering) this.#begin(seq, record);
    if (record.type === "message.assistant") this.#changes = new Map();
    if (record.type === "tool.intent" && record.tool === "bash") this.last?.commands.push(record.title);
    if (record.type === "files.change") this.#intend(record);
    if (record.type === "message.tool" && !record.message.isError) this.#settle(record.message.toolCallId);
    if (record.type === "undo.intent") this.#beginUndo(record);
    if (record.type === "undo")
      this.#prompts = this.#prompts.filter((prompt) => prompt.seq !== record.prompt);
  }

  #beginUndo({ prompt, paths }: SessionRecordOf<"undo.intent">): void {
    const begun = this.#prompts.find(({ seq }) => seq === prompt)?.begun;
    for (const path of paths) begun?.add(path);
  }

  #begin(seq: number, { message }: SessionRecordOf<"message.user">): void {
    const text = message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    this.#prompts.push({ seq, text, files: new Map(), commands: [], begun: new Set() });
  }

  /** Until the call has ended well, the file is what it was or what it was to become. */
  #intend({ callId, changes }: SessionRecordOf<"files.change">): void {
    this.#changes.set(callId, [...(this.#changes.get(callId) ?? []), ...changes]);
    for (const { path, before, after } of changes) {
      const left = new Set([before?.sha256 ?? noFile, after?.sha256 ?? noFile]);
      const known = this.last?.files.get(path);
      if (known === undefined) this.last?.files.set(path, { path, before, left });
      else known.left = left;
    }
  }

  #settle(callId: string): void {
    for (const { path, after } of this.#changes.get(callId) ?? []) {
      const known = this.last?.files.get(path);
      if (known !== undefined) known.left = new Set([after?.sha256 ?? noFile]);
    }
  }
}
