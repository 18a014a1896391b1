import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { acquireLock, lookAtLock, nodeProcesses } from "@codelia/storage";
import { TemporaryTree } from "../../../test/support/tree.ts";

const since = "2026-11-16T12:00:00.000Z";
const now = () => new Date(since);

test("a look at a lock tells who holds it, and leaves nothing behind", async () => {
  using tree = new TemporaryTree({});
  expect([await lookAtLock(tree.at("none")), await lookAtLock(tree.path)]).toEqual([undefined, undefined]);
  const lock = await acquireLock(tree.path, { now });
  const owner = { ...(await nodeProcesses.self()), since };
  expect(await lookAtLock(tree.path)).toEqual({ held: false, owner, path: tree.at("lock.1") });
  expect(readdirSync(tree.path)).toEqual(["lock.1"]);
  if (lock.held) await lock.release();
  expect(await lookAtLock(tree.path)).toBeUndefined();
});

test("the lock of a process that has ended, half a lock, a directory and a FIFO are nobody's", async () => {
  const dead = { format: 1, ...(await nodeProcesses.self()), processStart: "another", since };
  using tree = new TemporaryTree({
    "lock.1": JSON.stringify(dead),
    "lock.2": '{"format":1,',
    "lock.3/": "",
    "lock.4": { fifo: true },
    "lock.x": "not a claim",
  });
  expect(await lookAtLock(tree.path)).toBeUndefined();
});

test("a lock that is not understood is somebody's: it may be that of a newer program", async () => {
  using tree = new TemporaryTree({ "lock.1": '{"format":2}' });
  expect(await lookAtLock(tree.path)).toEqual({ held: false, owner: undefined, path: tree.at("lock.1") });
});
