// A journal whose disk refuses: what was appended before stays, and nothing is appended after.
import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { acquireLock, openJournal, readJournal } from "@codelia/storage";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { readAll } from "./support/readings.ts";
import { type Fate, WatchedDisk } from "./support/watched-disk.ts";

/** Gives the calls with these names one fate after the other; what is not listed is done. */
function diskWith(fates: Readonly<Record<string, readonly Fate[]>>): WatchedDisk {
  const calls = new Map<string, number>();
  return new WatchedDisk(({ name }) => {
    const call = calls.get(name) ?? 0;
    calls.set(name, call + 1);
    return fates[name]?.[call] ?? "do";
  });
}

describe("a journal after a failure", () => {
  test("has only whole records, even when half of one was written", async () => {
    using tree = new TemporaryTree({});
    const disk = diskWith({ "write journal.jsonl": ["do", "short", "ENOSPC"] });
    const journal = await openJournal(tree.path, { disk });
    await journal.append("one");
    const before = readFileSync(tree.at("journal.jsonl"), "utf8");
    await expect(journal.append("two")).rejects.toMatchObject({
      name: "StorageError",
      code: "write_failed",
      path: tree.at("journal.jsonl"),
      message: `${tree.at("journal.jsonl")}: cannot be written: the disk is full (ENOSPC)`,
      hint: "Free some space and try again.",
    });
    expect(readFileSync(tree.at("journal.jsonl"), "utf8")).toBe(before);
    await journal.close();
  });

  test("takes no more records, says why, and can be closed and opened again", async () => {
    using tree = new TemporaryTree({});
    const journal = await openJournal(tree.path, {
      disk: diskWith({ "write journal.jsonl": ["do", "EIO"] }),
    });
    const settled = await Promise.allSettled([1, 2, 3].map((record) => journal.append(record)));
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    const refusal = {
      name: "StorageError",
      code: "journal_closed",
      message: `${tree.at("journal.jsonl")}: takes no more records: a write failed before`,
      hint: "What was written before is safe. Mend the cause and open it again.",
      cause: { code: "write_failed" },
    };
    await expect(journal.append(4)).rejects.toMatchObject(refusal);
    await expect(journal.flush()).rejects.toMatchObject(refusal);
    await journal.close();
    const again = await openJournal(tree.path);
    await again.append("again");
    await again.close();
    expect(await readAll(tree.path)).toEqual({ records: [1, "again"], damage: undefined });
  });

  test("that could not be cut back is torn, and mended when it is opened", async () => {
    using tree = new TemporaryTree({});
    const disk = diskWith({
      "write journal.jsonl": ["do", "short", "EIO"],
      "truncate journal.jsonl": ["EIO"],
    });
    const journal = await openJournal(tree.path, { disk });
    await journal.append("one");
    await expect(journal.append("two")).rejects.toMatchObject({ code: "write_failed" });
    await journal.close();
    expect((await readAll(tree.path)).damage).toMatchObject({ seq: 2, reason: "torn" });
    const again = await openJournal(tree.path);
    expect([again.damage?.reason, again.nextSeq]).toEqual(["torn", 2]);
    await again.close();
    expect(await readAll(tree.path)).toEqual({ records: ["one"], damage: undefined });
  });

  test("of a flush takes no more records either: nobody knows what reached the disk", async () => {
    using tree = new TemporaryTree({});
    const journal = await openJournal(tree.path, { disk: diskWith({ "sync journal.jsonl": ["EIO"] }) });
    await journal.append(1);
    await expect(journal.flush()).rejects.toMatchObject({ code: "write_failed" });
    await expect(journal.append(2)).rejects.toMatchObject({ code: "journal_closed" });
    await journal.close();
    expect(await readAll(tree.path)).toEqual({ records: [1], damage: undefined });
  });
});

describe("a journal", () => {
  test("refuses what JSON cannot hold, and goes on", async () => {
    using tree = new TemporaryTree({});
    const journal = await openJournal(tree.path);
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    for (const record of [undefined, () => {}, 1n, cycle]) {
      await expect(journal.append(record)).rejects.toMatchObject({
        code: "invalid_record",
        message: `${tree.at("journal.jsonl")}: JSON cannot hold this record`,
      });
    }
    await journal.append("sound");
    await journal.close();
    expect(await readAll(tree.path)).toEqual({ records: ["sound"], damage: undefined });
  });

  test("refuses a record that could not be read again for its size, and goes on", async () => {
    using tree = new TemporaryTree({});
    // In a process of its own, whose memory does not count as that of the tests.
    const script = `import { openJournal } from "@codelia/storage";
      const journal = await openJournal(${JSON.stringify(tree.path)});
      const refusal = await journal.append("漢".repeat(23_000_000)).catch(({ code, message }) => [code, message]);
      console.log(JSON.stringify([refusal, await journal.append("sound")]));
      await journal.close();`;
    const { stdout } = spawnSync(process.execPath, ["-e", script], {
      cwd: import.meta.dir,
      encoding: "utf8",
    });
    const refusal = ["invalid_record", `${tree.at("journal.jsonl")}: this record is over 64 MiB`];
    expect([JSON.parse(stdout), readdirSync(tree.path)]).toEqual([[refusal, 1], ["journal.jsonl"]]);
  });

  test("that was closed takes no more records, and closes only once", async () => {
    using tree = new TemporaryTree({});
    const journal = await openJournal(tree.path);
    await Promise.all([journal.close(), journal.close()]);
    await expect(journal.append(1)).rejects.toMatchObject({
      code: "journal_closed",
      message: `${tree.at("journal.jsonl")}: takes no more records: the journal was closed`,
    });
  });

  test("has one writer at a time, and the second learns who the first is", async () => {
    using tree = new TemporaryTree({});
    const journal = await openJournal(tree.path, { now: () => new Date("2026-11-16T12:00:00Z") });
    await expect(openJournal(tree.path)).rejects.toMatchObject({
      code: "locked",
      owner: { pid: process.pid, since: "2026-11-16T12:00:00.000Z" },
    });
    await journal.close();
    await (await openJournal(tree.path)).close();
  });

  test("gives its lock back when it cannot be opened", async () => {
    using tree = new TemporaryTree({});
    const disk = diskWith({ "open journal.jsonl": ["EMFILE"] });
    await expect(openJournal(tree.path, { disk })).rejects.toMatchObject({ code: "write_failed" });
    const journal = await openJournal(tree.path);
    await journal.append("x");
    await journal.close();
    const defect = new RangeError("not what was expected");
    const replay = () => {
      throw defect;
    };
    expect(await openJournal(tree.path, { replay }).catch((error: unknown) => error)).toBe(defect);
    await (await openJournal(tree.path)).close();
  });

  test("is not cut because a blob could not be read just now", async () => {
    using tree = new TemporaryTree({});
    const journal = await openJournal(tree.path);
    await journal.append("x".repeat(70_000));
    await journal.close();
    for (const fate of ["EIO", "EMFILE"] as const) {
      await expect(openJournal(tree.path, { disk: diskWith({ "open blob": [fate] }) })).rejects.toMatchObject(
        {
          code: "unreadable",
        },
      );
    }
    expect((await readAll(tree.path)).records).toEqual(["x".repeat(70_000)]);
  });

  test("puts a large record on disk, flushed, before the line that names it", async () => {
    using tree = new TemporaryTree({});
    const disk = new WatchedDisk();
    const journal = await openJournal(tree.at("one"), { disk });
    const opened = disk.operations.length;
    await journal.append("x".repeat(70_000));
    await journal.flush();
    const changes = disk.operations.slice(opened).filter(isChange);
    expect(changes).toEqual([
      "mkdir blobs",
      "write blob draft",
      "sync blob draft",
      "rename blob",
      "sync one",
      "sync blobs",
      "write journal.jsonl",
      "sync journal.jsonl",
      `sync ${tree.path.slice(tree.path.lastIndexOf("/") + 1)}`,
      "sync one",
    ]);
    await journal.flush();
    expect(disk.operations.at(-1)).toBe("close one");
    await journal.close();
  });

  test("puts what is damaged aside, flushed, before it gets shorter", async () => {
    using tree = new TemporaryTree({ "one/journal.jsonl": '{"crc":"' });
    const disk = new WatchedDisk();
    await openJournal(tree.at("one"), { disk });
    const opened = disk.operations.indexOf("open journal.jsonl");
    expect(disk.operations.slice(opened).filter(isChange)).toEqual([
      "write journal.jsonl.damaged",
      "sync journal.jsonl.damaged",
      "sync one",
      "truncate journal.jsonl",
      "sync journal.jsonl",
    ]);
  });

  test("reads one large record at a time, when it is asked for", async () => {
    using tree = new TemporaryTree({});
    const disk = new WatchedDisk();
    const journal = await openJournal(tree.path, { disk });
    for (const letter of ["a", "b", "c"]) await journal.append(letter.repeat(70_000));
    await journal.close();
    const reading = new WatchedDisk();
    const entries = readJournal(tree.path, { disk: reading });
    const reads: number[] = [];
    for await (const _ of entries)
      reads.push(reading.operations.filter((name) => name === "read blob").length);
    expect(reads).toEqual([1, 2, 3]);
  });

  test("leaves a lock of another name in its directory alone", async () => {
    using tree = new TemporaryTree({});
    const other = await acquireLock(tree.path, { name: "other" });
    await (await openJournal(tree.path)).close();
    expect([other.held, readdirSync(tree.path).toSorted()]).toEqual([true, ["journal.jsonl", "other.1"]]);
  });
});

function isChange(name: string): boolean {
  return !/^(open|close|stat|lstat|read|readdir) /.test(name);
}
