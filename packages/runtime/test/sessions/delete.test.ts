import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeDisk, openJournal, StorageError } from "@codelia/storage";
import { deleteSession, findSession, listSessions } from "../../src/sessions/index.ts";
import { done, ids, output, ports, prompt, SessionScene } from "./stored-sessions.ts";

const [first, second] = ids;

async function remove(scene: SessionScene, id: string): Promise<unknown> {
  const { codeliaHome, repository } = scene.scope;
  const found = await findSession(nodeDisk, codeliaHome, repository, id);
  return await deleteSession(ports, found).catch((error: unknown) => error);
}

test("a deleted session is gone, with its blobs and what an ended deletion left; others stay", async () => {
  using scene = new SessionScene();
  await scene.add(first, [prompt("x"), output("y".repeat(100_000)), done]);
  await scene.add(second, [done]);
  mkdirSync(join(scene.folder, ".removed-0123456789abcdef", "blobs"), { recursive: true });
  expect(await remove(scene, first)).toBeUndefined();
  expect(readdirSync(scene.folder)).toEqual([second]);
});

test("a session in use is not deleted, and it is said who uses it", async () => {
  using scene = new SessionScene();
  await scene.add(first, [prompt("x")]);
  const journal = await openJournal(scene.directory(first), ports);
  const error = await remove(scene, first);
  expect(error instanceof StorageError ? [error.code, error.owner?.pid] : error).toEqual([
    "locked",
    process.pid,
  ]);
  await journal.close();
  expect((await listSessions(ports, scene.scope, 9)).sessions.map(({ id }) => id)).toEqual([first]);
});

test("a session that cannot be read can be deleted", async () => {
  using scene = new SessionScene();
  await scene.add(first, []);
  writeFileSync(join(scene.directory(first), "journal.jsonl"), "no journal");
  expect(await remove(scene, first)).toBeUndefined();
  expect(readdirSync(scene.folder)).toEqual([]);
});
