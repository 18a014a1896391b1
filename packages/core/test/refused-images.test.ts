import { describe, expect, test } from "bun:test";
import { type AgentEvent, Conversation, runLoop, SessionLog } from "@codelia/core";
import type { ImagePart, Message, SessionRecord, StreamPart, UserMessage } from "@codelia/shared-types";
import { memoryHistory } from "../../../test/support/memory-history.ts";
import { type FakeConnection, fakeConnection, saying } from "./fake-connection.ts";
import { loopOptions } from "./loop-scene.ts";
import { answer, compaction, context, entriesOf, result, user } from "./session-records.ts";

function image(data: string): ImagePart {
  return { type: "image", mediaType: "image/png", data };
}

function picture(data: string): UserMessage {
  return { role: "user", content: [{ type: "text", text: "look" }, image(data)] };
}

const reason = "provider: could not process image (HTTP 400).";

function leftOut(message: UserMessage): UserMessage {
  const text = `[image/png left out: the provider refused it: ${reason}]`;
  return {
    ...message,
    content: message.content.map((part) => (part.type === "image" ? { type: "text", text } : part)),
  };
}

function refusing(message = reason): StreamPart[] {
  return [{ type: "failure", failure: { kind: "InvalidRequest", message, retryable: false } }];
}

async function run(connection: FakeConnection, prompt: UserMessage, before: readonly SessionRecord[] = []) {
  const store = memoryHistory();
  const log = new SessionLog(store);
  for (const record of before) await log.append(record);
  const events: AgentEvent[] = [];
  const { outcome } = await runLoop(prompt, {
    ...loopOptions(connection, log),
    emit: (event) => void events.push(event),
  });
  const refused = store.records.filter(({ type }) => type === "images.refused");
  const sent = connection.requests.map(({ messages }): readonly Message[] => messages);
  const resumed = new Conversation(store.entries).messages;
  expect(resumed).toEqual(log.conversation.messages);
  const told = events.filter(({ type }) => type === "images.refused");
  return { outcome, refused, sent, told, history: resumed };
}

describe("an image that the provider refuses", () => {
  test("is left out: the model is told in its place, the user by an event, and the session goes on", async () => {
    const connection = fakeConnection([refusing(), saying("done")]);
    const { outcome, refused, sent, told, history } = await run(connection, picture("bad"));
    expect({ outcome, refused, told }).toEqual({
      outcome: { status: "done" },
      refused: [{ type: "images.refused", seqs: [1], reason }],
      told: [{ type: "images.refused", reason }],
    });
    expect(sent).toEqual([[picture("bad")], [leftOut(picture("bad"))]]);
    expect(history).toEqual([
      leftOut(picture("bad")),
      { role: "assistant", content: [{ type: "text", text: "done" }] },
    ]);
  });

  test("takes none with it that were answered to before", async () => {
    const before = [user(picture("good")), answer("nice")];
    const connection = fakeConnection([refusing(), saying("done")]);
    const { refused, sent } = await run(connection, picture("bad"), before);
    expect(refused).toEqual([{ type: "images.refused", seqs: [3], reason }]);
    expect(sent[1]).toEqual([picture("good"), answer("nice").message, leftOut(picture("bad"))]);
  });

  test("leaves with all others where only that helps, as with a model that takes none", async () => {
    const before = [user(picture("old")), answer("nice")];
    const connection = fakeConnection([refusing(), refusing("still"), saying("done")]);
    const { refused, sent } = await run(connection, picture("new"), before);
    expect(refused).toEqual([{ type: "images.refused", seqs: [1, 3], reason }]);
    expect(sent[2]).toEqual([leftOut(picture("old")), answer("nice").message, leftOut(picture("new"))]);
  });

  test("is left out of a tool's result, which says so", async () => {
    const shown = result("c1", "[image/png of 3 bytes: it is shown below]\n");
    const before = [
      user("look"),
      answer("", "c1"),
      { ...shown, message: { ...shown.message, images: [{ ...image("bad"), label: "a.png" }] } },
    ];
    const connection = fakeConnection([refusing(), saying("done")]);
    const prompt: UserMessage = { role: "user", content: [{ type: "text", text: "and now?" }] };
    const { refused, sent } = await run(connection, prompt, before);
    expect(refused).toEqual([{ type: "images.refused", seqs: [3], reason }]);
    expect(sent[1]?.[2]).toEqual({
      ...shown.message,
      output: `[image/png of 3 bytes: it is shown below]\na.png: [image/png left out: the provider refused it: ${reason}]\n`,
    });
  });

  test("that was answered to by another model leaves when this one takes none", async () => {
    const before = [user(picture("old")), answer("nice")];
    const prompt: UserMessage = { role: "user", content: [{ type: "text", text: "and now?" }] };
    const connection = fakeConnection([refusing(), saying("done")]);
    const { outcome, refused } = await run(connection, prompt, before);
    expect([outcome, refused]).toEqual([{ status: "done" }, [{ type: "images.refused", seqs: [1], reason }]]);
  });
});

describe("images stay", () => {
  test("when the request is refused without them as well: the first refusal ends the run", async () => {
    const connection = fakeConnection([refusing("bad model"), refusing("bad model, too")]);
    const { outcome, refused, told, history } = await run(connection, picture("good"));
    expect({ outcome, refused, told, history }).toEqual({
      outcome: {
        status: "failed",
        failure: { kind: "InvalidRequest", message: "bad model", retryable: false },
      },
      refused: [],
      told: [],
      history: [picture("good")],
    });
  });

  test("when the connection fails before it is known whether that helps", async () => {
    const lost = { kind: "ConnectionError", message: "lost", retryable: false } as const;
    const connection = fakeConnection([refusing(), [{ type: "failure", failure: lost }]]);
    const { outcome, refused } = await run(connection, picture("good"));
    expect([outcome, refused]).toEqual([{ status: "failed", failure: lost }, []]);
  });
});

test("without images a refused request is not sent again", async () => {
  const connection = fakeConnection([refusing()]);
  const { sent } = await run(connection, { role: "user", content: [{ type: "text", text: "go" }] });
  expect(sent.length).toBe(1);
});

test("images that a compaction carried are not brought back by the next one", () => {
  const carried = compaction(2, { message: picture("bad"), instructions: [picture("bad")] });
  const records: SessionRecord[] = [
    context,
    user("go"),
    carried,
    { type: "images.refused", seqs: [3], reason },
  ];
  const folded = new Conversation(entriesOf(records));
  expect([folded.messages[0], folded.lastCompaction?.instructions]).toEqual([
    leftOut(picture("bad")),
    [leftOut(picture("bad"))],
  ]);
});
