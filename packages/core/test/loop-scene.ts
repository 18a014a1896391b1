// What the loop needs besides a model and a log, for tests that are about something else.
import type { LoopOptions, SessionLog, ToolSeams } from "@codelia/core";
import type { PermissionDecision } from "@codelia/shared-types";
import type { FakeConnection } from "./fake-connection.ts";

const allow: PermissionDecision = { decision: "allow", by: "mode", reason: "test" };

/** Everything is allowed, nothing is reminded of, no output is long and no file is changed. */
export const seams: ToolSeams = {
  decide: () => Promise.resolve(allow),
  remind: () => Promise.resolve({ text: undefined, records: [] }),
  outputs: { open: () => Promise.reject(new Error("no output is that long")) },
  keepContent: () => Promise.reject(new Error("no file is changed")),
  takeSeen: () => [],
  now: () => 0,
};

/** A loop without tools and limits, to which nobody says anything more. */
export function loopOptions(connection: FakeConnection, log: SessionLog): LoopOptions {
  return {
    connection,
    prefix: [],
    toolDefinitions: [],
    tools: new Map(),
    log,
    seams,
    compaction: {
      enabled: true,
      compactAt: 0.85,
      carried: () => [],
      keep: () => Promise.reject(new Error("nothing is kept")),
      onCompacted: () => undefined,
    },
    limits: {},
    costOf: () => undefined,
    accompany: () => Promise.resolve([]),
    takeSteering: () => [],
    cacheKey: "test",
    signal: new AbortController().signal,
    emit: () => undefined,
  };
}
