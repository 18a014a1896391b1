import { expect, test } from "bun:test";
import { ProtocolError } from "@codelia/protocol";
import { UndoScene } from "./undo-scene.ts";

async function failureOf(action: Promise<unknown>): Promise<unknown> {
  try {
    return await action;
  } catch (error) {
    return error instanceof ProtocolError ? [error.code, error.message, error.hint] : error;
  }
}

test("a session that has little to leave out says so, and can be used as before", async () => {
  using scene = new UndoScene({});
  const { session_id: id } = await scene.run({ calls: [] });
  const params = { cwd: scene.in(), id };
  expect(await failureOf(scene.client().call("session.compact", params))).toEqual([
    "refused",
    "could not compact: there is nothing to leave out yet",
    "The session can be used as before.",
  ]);
  await scene.run({ calls: [], session: { how: "resume", id } });
});

test("a session is compacted on request: a summary, the user's words and the last turn go on", async () => {
  using scene = new UndoScene({ "long.txt": "many words\n".repeat(2000) });
  const read = ["read", { path: "long.txt" }] as const;
  const { session_id: id } = await scene.run({ prompt: "Read it.", calls: [read] });
  scene.add({ "summary.json": JSON.stringify({ turns: [{ text: "It has many words." }] }) });
  const model = `scripted/${scene.at("summary.json")}`;
  const compacted = await scene.client().call("session.compact", { cwd: scene.in(), id, model });
  expect(compacted.id).toBe(id);
  expect(compacted.tokens_before).toBeGreaterThan(compacted.tokens_after + 3000);
  const { status } = await scene.run({
    prompt: "And now?",
    calls: [],
    session: { how: "resume", id },
    expect: { request_contains: ["It has many words.", "Read it."] },
  });
  expect(status).toBe("done");
});
