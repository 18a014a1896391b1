// Records of a session, short enough to write down whole conversations in a test.
import type {
  AgentsRecord,
  SeenFile,
  SessionEntry,
  SessionRecord,
  SessionRecordOf,
  UserMessage,
} from "@codelia/shared-types";

export function entriesOf(records: readonly SessionRecord[]): SessionEntry[] {
  return records.map((record, index) => ({ seq: index + 1, at: "2026-01-01T00:00:00.000Z", record }));
}

export function userText(text: string): UserMessage {
  return { role: "user", content: [{ type: "text", text }] };
}

export function user(message: string | UserMessage, steering = false): SessionRecordOf<"message.user"> {
  return {
    type: "message.user",
    message: typeof message === "string" ? userText(message) : message,
    steering,
  };
}

/** An answer: some text, and calls of `look` with these ids. */
export function answer(text: string, ...calls: readonly string[]): SessionRecordOf<"message.assistant"> {
  return {
    type: "message.assistant",
    turn: 1,
    message: {
      role: "assistant",
      content: [
        ...(text === "" ? [] : [{ type: "text" as const, text }]),
        ...calls.map((id) => ({ type: "tool_call" as const, id, name: "look", arguments: "{}" })),
      ],
    },
    interrupted: false,
  };
}

interface ResultExtras {
  readonly agents?: AgentsRecord[];
  readonly seen?: SeenFile[];
  readonly outputRef?: string;
}

export function result(
  id: string,
  output: string,
  extras: ResultExtras = {},
): SessionRecordOf<"message.tool"> {
  return {
    type: "message.tool",
    message: { role: "tool", toolCallId: id, toolName: "look", output, isError: false },
    agents: [],
    seen: [],
    interrupted: false,
    ...extras,
  };
}

export function reminder(text: string, ...agents: AgentsRecord[]): SessionRecordOf<"reminder"> {
  return { type: "reminder", kind: "session.resume.diff", text, agents };
}

export function compaction(
  keptFrom: number,
  extras: Partial<SessionRecordOf<"compaction">> = {},
): SessionRecordOf<"compaction"> {
  return {
    type: "compaction",
    trigger: "threshold",
    keptFrom,
    message: userText("compacted"),
    summaries: ["summary"],
    instructions: [],
    agentsInForce: [],
    trimmed: [],
    ...extras,
  };
}

const markers = [".codelia", ".git", ".jj"];
const nothing = { coveredDirs: [], presented: [], removed: [], reported: [] };

export function presented(...paths: string[]): AgentsRecord & { type: "agents.resolve" } {
  return {
    type: "agents.resolve",
    target: "/repo/x",
    ...nothing,
    presented: paths.map((path) => ({ path, version: version(path) })),
  };
}

export function removed(...paths: string[]): AgentsRecord {
  return { type: "agents.resolve", target: "/repo/x", ...nothing, removed: paths };
}

export function version(realPath: string) {
  return { mtimeMs: 1000.5, ctimeMs: 1000, sizeBytes: 10, inode: 1, realPath };
}

export function moved(cwd: string, root = "/repo"): AgentsRecord & { type: "agents.resume" } {
  return { type: "agents.resume", cwd, root, markers, ...nothing };
}

export const initialAgents: AgentsRecord = {
  type: "agents.initial",
  cwd: "/repo",
  root: "/repo",
  markers,
  ...nothing,
  coveredDirs: ["/repo"],
  presented: [{ path: "/repo/AGENTS.md", version: version("/repo/AGENTS.md") }],
};

export const context: SessionRecordOf<"session.context"> = {
  type: "session.context",
  prefix: [{ role: "system", text: "base" }],
  tools: [{ name: "look", description: "look", parameters: { type: "object" } }],
  agents: initialAgents,
};
