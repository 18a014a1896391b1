import { expect, test } from "bun:test";
import { Conversation, foldAgentsRecords, SessionLog } from "@codelia/core";
import { type SessionRecord, SessionRecordSchema } from "@codelia/shared-types";
import fc from "fast-check";
import { memoryHistory } from "../../../test/support/memory-history.ts";
import {
  answer,
  compaction,
  context,
  entriesOf,
  moved,
  presented,
  reminder,
  removed,
  result,
  user,
} from "./session-records.ts";

const path = fc.constantFrom("/repo/a", "/repo/b", "/repo/c");

const step = fc.oneof(
  fc.record({ kind: fc.constant("prompt" as const), steering: fc.boolean() }),
  fc.record({ kind: fc.constant("answer" as const), calls: fc.nat(3), path, lost: fc.boolean() }),
  fc.record({ kind: fc.constant("move" as const), path }),
  fc.record({ kind: fc.constant("compaction" as const), keep: fc.nat(6), trim: fc.boolean() }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A sequence as a run could have written it: every call gets its result before anything else happens. */
function recordsOf(steps: readonly Step[]): SessionRecord[] {
  const records: SessionRecord[] = [context];
  for (const [index, each] of steps.entries()) {
    switch (each.kind) {
      case "prompt":
        records.push(user(`said ${index}`, each.steering));
        break;
      case "move":
        records.push(reminder(`moved to ${each.path}`, moved(each.path)));
        break;
      case "answer": {
        const calls = Array.from({ length: each.calls }, (_, call) => `c${index}-${call}`);
        records.push({ type: "request", turn: index, messages: 0 }, answer(`said ${index}`, ...calls));
        for (const call of calls) {
          records.push(
            { type: "tool.intent", callId: call, tool: "look", title: "look", effect: false },
            result(call, `output of ${call}`, {
              agents: [each.lost ? removed(`${each.path}/AGENTS.md`) : presented(`${each.path}/AGENTS.md`)],
              seen: [each.lost ? { path: each.path } : { path: each.path, sha256: call }],
            }),
          );
        }
        break;
      }
      case "compaction": {
        const groups = records.flatMap((record, at) =>
          ["message.user", "message.assistant", "reminder"].includes(record.type) ? [at + 1] : [],
        );
        const keptFrom = groups.at(-1 - each.keep) ?? groups[0] ?? 1;
        const trimmed = records.flatMap((record, at) =>
          each.trim && record.type === "message.tool" && at + 1 >= keptFrom
            ? [{ seq: at + 1, output: "short" }]
            : [],
        );
        records.push(compaction(keptFrom, { trimmed }));
        break;
      }
    }
  }
  return records;
}

function stateOf(conversation: Conversation): unknown {
  const { context: fixed, messages, items, lastCompaction, counted, openCalls, movedTo } = conversation;
  const agents = foldAgentsRecords(conversation.agentsRecords());
  return {
    fixed,
    messages,
    items,
    lastCompaction,
    counted,
    openCalls,
    movedTo,
    agents,
    seen: conversation.seenFiles(),
  };
}

test("a live conversation and one that is read back from its journal are equal, wherever the journal ends", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const records = recordsOf(steps);
      const store = memoryHistory();
      const log = new SessionLog(store);
      for (const [index, record] of records.entries()) {
        await log.append(record);
        const read = entriesOf(
          records
            .slice(0, index + 1)
            .map((each) => SessionRecordSchema.parse(JSON.parse(JSON.stringify(each)))),
        );
        expect(stateOf(new Conversation(read))).toEqual(stateOf(log.conversation));
      }
    }),
    { numRuns: 60 },
  );
});

test("however often it was compacted, it goes on where it last moved to and keeps calls and results together", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const conversation = new Conversation(entriesOf(recordsOf(steps)));
      const lastMove = steps.findLast((each) => each.kind === "move");
      expect(foldAgentsRecords(conversation.agentsRecords()).cwd).toBe(lastMove?.path ?? "/repo");
      const open: string[] = [];
      for (const message of conversation.messages) {
        if (message.role === "tool") expect(message.toolCallId).toBe(open.shift() ?? "no call is open");
        else expect(open).toEqual([]);
        if (message.role === "assistant")
          open.push(...message.content.flatMap((part) => (part.type === "tool_call" ? [part.id] : [])));
      }
      expect(open).toEqual([]);
      expect(conversation.items.filter(({ origin }) => origin === "compaction").length).toBeLessThanOrEqual(
        1,
      );
    }),
    { numRuns: 200 },
  );
});
