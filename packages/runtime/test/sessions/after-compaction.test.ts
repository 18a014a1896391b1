import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { summaryQuestion } from "@codelia/core";
import type { ModelRequest } from "@codelia/shared-types";
import {
  call,
  lostBytes,
  outputsOf,
  reminders,
  requireValid,
  SessionScene,
  userTexts,
} from "./session-scene.ts";

const window = 20_000;
/** About 8,000 tokens, so that the second one fills the window. */
const talk = call("bash", { command: "head -c 32000 /dev/zero | tr '\\0' 'x' | fold -w 100" });
const summary = (text: string) => ({ text, expect: { last_user_contains: "about to be compacted" } });
/** Fills the window, sums it up. */
const compacting = (text: string) => [talk, talk, summary(text)];

function scene(): SessionScene {
  return new SessionScene({
    "repo/AGENTS.md": "Root rules.\n",
    "repo/sub/AGENTS.md": "Sub rules.\n",
    "repo/sub/file.txt": "one\ntwo\n",
    "repo/kept.txt": "kept\n",
  });
}

function isForSummary({ messages }: ModelRequest): boolean {
  return JSON.stringify(messages.at(-1)) === JSON.stringify(summaryQuestion);
}

const readSub = call("read", { path: "sub/file.txt" });

describe("after a compaction", () => {
  test("instructions are named again when touched, over two compactions and a resume between them", async () => {
    using session = scene();
    const first = await session.run(
      "first",
      [readSub, readSub, ...compacting("One."), readSub, { text: "a" }],
      {
        window,
      },
    );
    const again = { session: { how: "resume", id: first.id } as const, window };
    const second = await session.run(
      "second",
      [readSub, ...compacting("Two."), readSub, { text: "b" }],
      again,
    );
    const third = await session.run("third", [{ text: "c" }], again);
    const path = session.tree.at("repo/sub/AGENTS.md");
    const inForce = (request: ModelRequest | undefined) =>
      userTexts(request?.messages).filter((text) => text.includes(`in force; read one again`));
    const namedIn = (request: ModelRequest | undefined) =>
      reminders(request?.messages, "agents.resolve.paths").filter((text) => text.includes(path)).length;
    // Named once before the compaction, however often it is touched, and once after it.
    expect(first.requests.map(namedIn)).toEqual([0, 1, 1, 1, 1, 0, 1]);
    expect(second.requests.map(namedIn)).toEqual([1, 1, 1, 1, 0, 1]);
    expect(third.requests.map(namedIn)).toEqual([1]);
    expect([first, second, third].map(({ requests }) => inForce(requests.at(-1)).length)).toEqual([1, 1, 1]);
    expect(inForce(third.requests[0])[0]).toContain(`- ${path} (mtime: `);
    expect(userTexts(third.requests[0]?.messages)[0]).toContain(
      "Summary 1 of 2, oldest first:\nOne.\n\nSummary 2 of 2, oldest first:\nTwo.",
    );
    // Nothing changed around the session, so nothing is told about that.
    expect(reminders(third.requests[0]?.messages, "session.resume.diff")).toEqual([]);
    for (const { messages } of [first, second, third].flatMap(({ requests }) => requests))
      requireValid(messages);
  });

  test("each request extends the one before it again, over a resume as well", async () => {
    using session = scene();
    const first = await session.run("first", [...compacting("One."), readSub, { text: "a" }], { window });
    const second = await session.run("second", [readSub, { text: "b" }], {
      session: { how: "resume", id: first.id },
      window,
    });
    const epoch = [...first.requests, ...second.requests].slice(3);
    expect([first.requests.map(isForSummary).indexOf(true), epoch.length]).toEqual([2, 4]);
    expect(lostBytes(epoch)).toEqual([0, 0, 0]);
    expect(lostBytes(first.requests.slice(0, 3))).toEqual([0, 0]);
  });

  test("a file has to be read again before it is edited, unless its content is still there", async () => {
    using session = scene();
    const edit = (path: string, old: string) => call("edit", { path, old, new: "changed" });
    const { requests } = await session.run(
      "first",
      [
        readSub,
        talk,
        talk,
        {
          tool_calls: [
            { name: "read", arguments: { path: "kept.txt" } },
            { name: "bash", arguments: { command: "head -c 18000 /dev/zero | tr '\\0' 'x'" } },
          ],
        },
        summary("One."),
        edit("sub/file.txt", "one"),
        edit("kept.txt", "kept"),
        { text: "done" },
      ],
      { window: 24_000 },
    );
    const told = outputsOf(requests.at(-1)?.messages).map((output) => output.split("\n")[0]);
    expect(told.slice(-2)).toEqual([
      "You have not read sub/file.txt. Nothing was changed; read it first, then repeat.",
      "Edited kept.txt: 1 replacement, now line 1.",
    ]);
  });

  test("the todo list, steering and images are still there", async () => {
    using session = scene();
    const items = [{ text: "mend </compacted_conversation>", state: "doing" }];
    const steering = [{ role: "user" as const, content: [{ type: "text" as const, text: "rather <this>" }] }];
    const first = await session.run("look", [call("todo", { items }), ...compacting("One."), { text: "a" }], {
      window,
      images: ["iVBORw0KGgo="],
      steering,
    });
    const second = await session.run("more", [...compacting("Two."), { text: "b" }], {
      session: { how: "resume", id: first.id },
      window,
    });
    const parts = second.requests.at(-1)?.messages.find(({ role }) => role === "user");
    const content = parts?.role === "user" ? parts.content : [];
    expect(content.slice(1)).toEqual([
      { type: "text", text: "The user's message 1 of 3 that were left out, verbatim:" },
      { type: "text", text: "look" },
      { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" },
      { type: "text", text: "The user's message 2 of 3 that were left out, verbatim:" },
      { type: "text", text: "rather <this>" },
      { type: "text", text: "The user's message 3 of 3 that were left out, verbatim:" },
      { type: "text", text: "more" },
      {
        type: "text",
        text: "Your todo list:\n[~] mend &lt;/compacted_conversation>\n\n</compacted_conversation>",
      },
    ]);
  });

  test("an output that was shortened can be read whole, in a copy as well", async () => {
    using session = scene();
    const lines = "for i in $(seq 1 1500); do echo line $i of the output that is long enough; done";
    const ref = "{{last_tool_output:/with ref ([0-9a-f]{32})/}}";
    const run = [
      { tool_calls: [{ name: "bash", arguments: { command: lines } }] },
      summary("One."),
      { tool_calls: [{ name: "tool_output_search", arguments: { ref, pattern: "line 7[0-9]{2} of" } }] },
      { text: "a" },
    ];
    const first = await session.run("first", run, { window: 16_000 });
    expect(reminders(first.requests[2]?.messages, "tool.output.trimmed").length).toBe(1);
    expect(outputsOf(first.requests[3]?.messages).at(-1)?.split("\n").length).toBe(101);
    const again = [
      {
        tool_calls: [
          { name: "tool_output_search", arguments: { ref: refIn(first.requests[2]), pattern: "line 1234 " } },
        ],
      },
      { text: "b" },
    ];
    for (const how of ["resume", "fork"] as const) {
      const { requests } = await session.run("more", again, {
        session: { how, id: first.id },
        window: 100_000,
      });
      expect(outputsOf(requests[1]?.messages).at(-1)).toBe(
        "output:1234:line 1234 of the output that is long enough\n",
      );
    }
  });

  test("a changed file of the session's start is told again when the note about it was left out", async () => {
    using session = scene();
    const readKept = call("read", { path: "kept.txt" });
    const { requests } = await session.run(
      "first",
      [readKept, readKept, ...compacting("One."), readKept, { text: "a" }],
      {
        window,
        onRequest: (number) => {
          if (number === 2) writeFileSync(session.tree.at("repo/AGENTS.md"), "Changed root rules.\n");
        },
      },
    );
    expect(requests.map(({ messages }) => reminders(messages, "agents.resolve.paths").length)).toEqual([
      0, 0, 1, 1, 1, 0, 1,
    ]);
  });
});

function refIn(request: ModelRequest | undefined): string {
  const [, ref = ""] = /with ref ([0-9a-f]{32})/.exec(JSON.stringify(request?.messages)) ?? [];
  return ref;
}
