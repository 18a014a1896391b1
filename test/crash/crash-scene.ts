// A directory tree that is put into the state that a crash left, and entered again.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Result, RunEvent } from "@codelia/protocol";
import type { SessionEntry } from "@codelia/shared-types";
import { SessionRecordSchema } from "@codelia/shared-types";
import { type JournalDamage, readJournal } from "@codelia/storage";
import type { DiskState } from "./disk-model.ts";
import { runInScene } from "./scene-run.ts";
import { watchedDisk } from "./watched-disk.ts";

export interface ReadSession {
  readonly entries: readonly SessionEntry[];
  readonly damage: JournalDamage | undefined;
}

/** What the model of the second run answers: one turn, after a look at what it was told. */
const answer = { text: "Gone on." };
const resumeScript = "resume.json";

export interface Resumption {
  readonly result: Result<"run.start">;
  readonly events: readonly RunEvent[];
}

/** Makes the tree hold exactly this, writing only what differs. Whoever held a lock in it is dead. */
export function restore(top: string, state: DiskState): void {
  const present = stateOf(top);
  for (const path of present.keys()) {
    if (!state.has(path)) rmSync(join(top, path), { recursive: true, force: true });
  }
  for (const [path, content] of state) {
    const at = join(top, path);
    const wanted = content === "directory" ? content : buried(path, content);
    if (Bun.deepEquals(present.get(path), wanted)) continue;
    if (wanted === "directory") mkdirSync(at, { mode: 0o700 });
    else writeFileSync(at, wanted, { mode: 0o600 });
  }
}

/** The process of this test goes on; the one that it stands for does not. */
function buried(path: string, content: Uint8Array): Uint8Array {
  if (!isClaimOrDraft(path)) return content;
  const text = Buffer.from(content).toString("latin1");
  return Buffer.from(text.replace(/"processStart":"\d+"/, '"processStart":"dead"'), "latin1");
}

/** A lock, or a file that has not got its name yet. */
export function isClaimOrDraft(path: string): boolean {
  return /^(?:lock\.\d+|\..*\.tmp)$/.test(basename(path));
}

/** What is there now, in the form of `restore`. */
export function stateOf(top: string): DiskState {
  const paths = readdirSync(top, { recursive: true, withFileTypes: true });
  return new Map(
    paths.map((entry) => {
      const at = join(entry.parentPath, entry.name);
      return [at.slice(top.length + 1), entry.isDirectory() ? "directory" : readFileSync(at)] as const;
    }),
  );
}

/** The session's directory; undefined where there is none. */
export function sessionDirectory(top: string, state: DiskState): string | undefined {
  const journal = [...state.keys()].find((path) => basename(path) === "journal.jsonl");
  return journal === undefined ? undefined : join(top, dirname(journal));
}

/** Read by nothing but the journal and the schema of its records. */
export async function readSession(directory: string): Promise<ReadSession> {
  const entries: SessionEntry[] = [];
  const reading = readJournal(directory);
  for (;;) {
    const { done, value } = await reading.next();
    if (done) return { entries, damage: value };
    entries.push({ ...value, record: SessionRecordSchema.parse(value.record) });
  }
}

/** @input told: what the model's last tool output has to contain @error ProtocolError */
export async function resume(top: string, id: string, told?: string): Promise<Resumption> {
  const expectation = told === undefined ? {} : { expect: { last_tool_output_contains: told } };
  writeFileSync(join(top, resumeScript), JSON.stringify({ turns: [{ ...answer, ...expectation }] }));
  const events: RunEvent[] = [];
  const disk = watchedDisk((_call, make) => make());
  const emit = (event: RunEvent) => events.push(event);
  try {
    return { result: await runInScene({ top, disk, script: resumeScript, resume: id, emit }), events };
  } finally {
    rmSync(join(top, resumeScript));
  }
}
