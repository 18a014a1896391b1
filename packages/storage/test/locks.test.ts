// Who has a lock, and what counts as having it: the living, and those that cannot be judged.
import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { acquireLock, lockedError, nodeProcesses } from "@codelia/storage";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { startFromPs, startInStat } from "../src/locks/processes.ts";
import { WatchedDisk } from "./support/watched-disk.ts";

const since = "2026-11-16T12:00:00.000Z";
const now = () => new Date(since);

/** Whether the lock can be had where this claim is. */
async function isFree(claim: unknown): Promise<boolean> {
  using tree = new TemporaryTree({ "lock.1": typeof claim === "string" ? claim : JSON.stringify(claim) });
  const attempt = await acquireLock(tree.path);
  // The dead one's claim is gone, the living one's is untouched.
  expect(readdirSync(tree.path)).toEqual([attempt.held ? "lock.2" : "lock.1"]);
  return attempt.held;
}

describe("a lock", () => {
  test("is a file that says who has it, for the user alone, and is gone when it is released", async () => {
    using tree = new TemporaryTree({});
    const lock = await acquireLock(tree.at("new/place"), { now });
    const path = tree.at("new/place/lock.1");
    expect([JSON.parse(readFileSync(path, "utf8")), statSync(path).mode & 0o777]).toEqual([
      { format: 1, ...(await nodeProcesses.self()), since },
      0o600,
    ]);
    if (lock.held) await Promise.all([lock.release(), lock.release()]);
    expect(readdirSync(tree.at("new/place"))).toEqual([]);
  });

  test("that somebody has is refused, with who it is and what to do", async () => {
    using tree = new TemporaryTree({});
    await acquireLock(tree.path, { now });
    const refused = await acquireLock(tree.path);
    const owner = { ...(await nodeProcesses.self()), since };
    expect(refused).toEqual({ held: false, owner, path: tree.at("lock.1") });
    if (refused.held) return;
    const { code, message, hint, owner: named } = lockedError(tree.path, refused);
    expect({ code, message, hint, named }).toEqual({
      code: "locked",
      message: `${tree.path}: is in use by process ${process.pid} on ${hostname()} since ${since}`,
      hint: `Wait until it has ended. If you are certain that it no longer runs, remove ${tree.at("lock.1")}.`,
      named: owner,
    });
  });

  test("of a process that ended, of another boot or of a process id that was given out again is free", async () => {
    const self = { format: 1, ...(await nodeProcesses.self()), since };
    const { pid } = spawnSync("true");
    expect([
      await isFree(self),
      await isFree({ ...self, pid }),
      await isFree({ ...self, processStart: "1" }),
      await isFree({ ...self, bootId: "another" }),
    ]).toEqual([false, true, true, true]);
  });

  test("that cannot be judged is not free: of another machine, another namespace, or a newer program", async () => {
    const self = { format: 1, ...(await nodeProcesses.self()), since };
    const { pid } = spawnSync("true");
    expect([
      await isFree({ ...self, pid, host: "elsewhere", bootId: "another" }),
      await isFree({ ...self, pid, pidNamespace: "pid:[1]" }),
      await isFree({ format: 2, pid }),
      await isFree({}),
      await isFree({ format: 1, pid: -1, host: hostname(), since }),
      await isFree({ format: 1, pid: process.pid, host: hostname(), since }),
    ]).toEqual([false, false, false, false, false, false]);
  });

  test("of this machine under another name is judged", async () => {
    const self = { format: 1, ...(await nodeProcesses.self()), since };
    const { pid } = spawnSync("true");
    expect([
      await isFree({ ...self, host: "elsewhere" }),
      await isFree({ ...self, pid, host: "elsewhere" }),
    ]).toEqual(self.bootId === undefined ? [false, false] : [false, true]);
  });

  test("that is no whole claim was left by a power cut and is free", async () => {
    expect([await isFree(""), await isFree('{"format":1,"pid":'), await isFree("\0\0\0\0")]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test("is taken although something else has its first names; what is no directory is cleared away", async () => {
    using tree = new TemporaryTree({
      "lock.1/": "",
      "lock.2": { fifo: true },
      "lock.3": { link: "nothing" },
      "lock.x": "",
      "lock.04": "",
      lock: "",
    });
    const lock = await acquireLock(tree.path);
    expect([lock.held, readdirSync(tree.path).toSorted()]).toEqual([
      true,
      ["lock", "lock.04", "lock.1", "lock.4", "lock.x"],
    ]);
  });

  test("has as many names in a directory as one likes", async () => {
    using tree = new TemporaryTree({});
    const attempts = [
      await acquireLock(tree.path, { name: "a" }),
      await acquireLock(tree.path, { name: "b" }),
      await acquireLock(tree.path, { name: "a" }),
    ];
    expect(attempts.map(({ held }) => held)).toEqual([true, true, false]);
  });

  test("that may not be read is an error with its path, not a free lock", async () => {
    using tree = new TemporaryTree({});
    await acquireLock(tree.path);
    const disk = new WatchedDisk(({ name }) => (name === "open lock.1" ? "EIO" : "do"));
    await expect(acquireLock(tree.path, { disk })).rejects.toMatchObject({
      name: "StorageError",
      path: tree.at("lock.1"),
    });
  });

  test("needs hard links, and says so where there are none", async () => {
    using tree = new TemporaryTree({});
    const disk = Object.assign(new WatchedDisk(), {
      link: () => Promise.reject(Object.assign(new Error("made up"), { code: "EPERM" })),
    });
    await expect(acquireLock(tree.path, { disk })).rejects.toMatchObject({
      code: "write_failed",
      message: `${tree.at("lock.1")}: cannot be made: the file system has no hard links (EPERM)`,
      hint: "Put Codelia's home on another file system (CODELIA_HOME).",
    });
    expect(readdirSync(tree.path)).toEqual([]);
  });

  for (const fate of ["ENOSPC", "EIO", "EMFILE"] as const) {
    test(`at any call that fails with ${fate} is had, or an error with a code; and the next one is not shut out`, async () => {
      const claim = JSON.stringify({ format: 1, ...(await nodeProcesses.self()), since, processStart: "1" });
      using whole = new TemporaryTree({ "lock.1": claim });
      const counted = new WatchedDisk();
      await acquireLock(whole.path, { disk: counted });
      for (const [at, operation] of counted.operations.entries()) {
        using tree = new TemporaryTree({ "lock.1": claim });
        const disk = new WatchedDisk(({ index }) => (index === at ? fate : "do"));
        const first = await acquireLock(tree.path, { disk }).catch((error: unknown) => error);
        const isHeld = typeof first === "object" && first !== null && "held" in first;
        if (!isHeld) expect(first).toMatchObject({ name: "StorageError", code: "write_failed" });
        const { held } = await acquireLock(tree.path);
        expect({ at, operation, held }).toEqual({ at, operation, held: !isHeld });
      }
    });
  }
});

describe("a process", () => {
  test("is told from another of the same id by its start, whatever its name is", () => {
    const fields = "S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 777 20";
    expect([startInStat(`42 (a) b (c)) ${fields}`), startInStat(`42 (x) Z${fields.slice(1)}`)]).toEqual([
      "777",
      "ended",
    ]);
  });

  test("has the same start whenever it is asked for, also from ps", async () => {
    const isThere = spawnSync("ps", ["-p", "1"]).error === undefined;
    const [first, second] = [await startFromPs(process.pid), await startFromPs(process.pid)];
    expect([second, /\d\d:\d\d:\d\d \d{4}$/.test(first ?? "")]).toEqual([first, isThere]);
  });
});
