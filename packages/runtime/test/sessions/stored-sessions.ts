// Sessions for tests: real journals with given records, ids and times.
import { utimesSync } from "node:fs";
import { join } from "node:path";
import type { SessionRecord } from "@codelia/shared-types";
import { nodeDisk, nodeFileSystem, openJournal } from "@codelia/storage";
import { TemporaryTree } from "../../../../test/support/tree.ts";
import { repositoryFolder, type StartRecord } from "../../src/sessions/index.ts";

export const ports = { disk: nodeDisk, fs: nodeFileSystem, now: () => new Date("2026-01-02T03:04:05Z") };
export const at = "2026-01-02T03:04:05.000Z";
export const repository = "/repo/.git";

export class SessionScene implements Disposable {
  readonly tree = new TemporaryTree({ "root/": "" });
  readonly scope = { codeliaHome: this.tree.at("home"), repository };

  /** The folder of the repository's sessions. */
  get folder(): string {
    return repositoryFolder(this.scope.codeliaHome, repository);
  }

  directory(id: string): string {
    return join(this.folder, id);
  }

  start(id: string, changes: Partial<StartRecord> = {}): StartRecord {
    const root = this.tree.at("root");
    return {
      type: "session.start",
      format: 1,
      id,
      program: "1.0.0",
      cwd: root,
      root,
      repository,
      model: "scripted/x",
      title: "a title",
      ...changes,
    };
  }

  /** A session of these records after its first, last used so many minutes after the others. */
  async add(
    id: string,
    records: readonly unknown[],
    { minute = 0, ...changes }: Partial<StartRecord> & { minute?: number } = {},
  ): Promise<void> {
    const journal = await openJournal(this.directory(id), ports);
    for (const record of [this.start(id, changes), ...records]) await journal.append(record);
    await journal.close();
    this.touch(id, minute);
  }

  touch(id: string, minute: number): void {
    const time = new Date(Date.UTC(2026, 0, 2, 4, minute));
    utimesSync(join(this.directory(id), "journal.jsonl"), time, time);
  }

  [Symbol.dispose](): void {
    this.tree[Symbol.dispose]();
  }
}

export const ids = [
  "20260101T000000-aaaaaaaa",
  "20260101T000000-bbbbbbbb",
  "20260101T000000-cccccccc",
] as const;

export function prompt(text: string): SessionRecord {
  return {
    type: "message.user",
    message: { role: "user", content: [{ type: "text", text }] },
    steering: false,
  };
}

export function answer(text: string): SessionRecord {
  return {
    type: "message.assistant",
    turn: 1,
    message: { role: "assistant", content: [{ type: "text", text }] },
    interrupted: false,
  };
}

export function output(text: string, outputRef?: string): SessionRecord {
  return {
    type: "message.tool",
    message: { role: "tool", toolCallId: "c1", toolName: "bash", output: text, isError: false },
    ...(outputRef === undefined ? {} : { outputRef }),
    agents: [],
    seen: [],
    interrupted: false,
  };
}

export const done: SessionRecord = { type: "run.end", status: "done" };
