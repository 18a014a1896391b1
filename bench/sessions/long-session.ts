// A session of 10,000 messages with 100 MB of outputs, made by the agent itself: a model reads files, one a turn, and
// sums up when it is asked to.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { summaryQuestion } from "../../packages/core/src/index.ts";
import { createAgent } from "../../packages/runtime/src/agent-factory.ts";
import type { RuntimeEnvironment } from "../../packages/runtime/src/environment.ts";
import { openProject } from "../../packages/runtime/src/project/index.ts";
import { createSession, newSessionId, repositoryFolder } from "../../packages/runtime/src/sessions/index.ts";
import type { ModelConnection, StreamPart } from "../../packages/shared-types/src/index.ts";
import { nodeDisk, nodeFileSystem } from "../../packages/storage/src/index.ts";
import type { Place } from "./place.ts";

const turns = 5000;
const files = 50;
/** With their numbers, 400 lines are 20 KB. */
const lines = 400;

export interface LongSession {
  readonly id: string;
  readonly directory: string;
  readonly messages: number;
  readonly outputBytes: number;
  readonly compactions: number;
}

export async function makeLongSession({ repository, home }: Place): Promise<LongSession> {
  mkdirSync(join(repository, "long"));
  for (let file = 0; file < files; file += 1) {
    const text = Array.from(
      { length: lines },
      (_, line) => `file ${file}, line ${line} of it: ${"x".repeat(18)}\n`,
    );
    writeFileSync(join(repository, `long/${file}.txt`), text.join(""));
  }
  const environment: RuntimeEnvironment = {
    env: { CODELIA_HOME: join(home, ".codelia") },
    userHome: home,
    fs: nodeFileSystem,
    disk: nodeDisk,
    version: "0.0.0",
    now: () => new Date(),
    fetch: () => Promise.reject(new Error("no network")),
    executable: process.execPath,
  };
  const project = await openProject(environment, { settings: [], trust: true }, repository);
  const id = newSessionId(environment.now());
  const session = await createSession(
    environment,
    repositoryFolder(project.codeliaHome, project.trust.identity),
    {
      type: "session.start",
      format: 1,
      id,
      program: "0.0.0",
      cwd: project.cwd,
      root: project.root.path,
      repository: project.trust.identity,
      model: reader.id,
      title: "Read everything.",
    },
  );
  const agent = await createAgent({
    environment,
    project,
    session,
    opened: { connection: reader, model: reader.id, costOf: () => 0 },
    approval: { mode: "full", confirm: undefined },
    compact: true,
    notify: () => undefined,
  });
  let [messages, outputBytes, compactions] = [2, 0, 0];
  const { outcome } = await agent.run(
    { role: "user", content: [{ type: "text", text: "Read everything." }] },
    {
      limits: {},
      takeSteering: () => [],
      signal: new AbortController().signal,
      emit: (event) => {
        if (event.type === "compaction.finished") compactions += 1;
        if (event.type !== "tool.finished") return;
        messages += 2;
        outputBytes += Buffer.byteLength(event.output);
      },
    },
  );
  await agent.dispose();
  await session.close();
  if (outcome.status !== "done") throw new Error(`the long session ended as ${JSON.stringify(outcome)}`);
  return { id, directory: session.directory, messages, outputBytes, compactions };
}

let asked = 0;

const reader: ModelConnection = {
  id: "bench/reader",
  contextWindow: 200_000,
  async *stream({ messages }): AsyncGenerator<StreamPart> {
    if (JSON.stringify(messages.at(-1)) === JSON.stringify(summaryQuestion)) {
      yield { type: "text_delta", text: "Files were read. ".repeat(60) };
      yield { type: "text_end" };
      yield { type: "finish", reason: "stop" };
      return;
    }
    asked += 1;
    if (asked > turns) {
      yield { type: "text_delta", text: "All was read." };
      yield { type: "text_end" };
      yield { type: "finish", reason: "stop" };
      return;
    }
    yield {
      type: "tool_call",
      id: `call_${asked}`,
      name: "read",
      arguments: JSON.stringify({ path: `long/${asked % files}.txt` }),
    };
    yield { type: "finish", reason: "tool_calls" };
  },
};
