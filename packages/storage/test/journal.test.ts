// A journal as its users see it: what is appended is read again, by everyone, in order.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { openJournal, readFirstEntry, readLastEntries } from "@codelia/storage";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { readAll } from "./support/readings.ts";

const now = () => new Date("2026-11-16T12:00:00Z");
const at = "2026-11-16T12:00:00.000Z";

describe("a journal", () => {
  test("is one line a record, each with a checksum, its number and its time, for the user alone", async () => {
    using tree = new TemporaryTree({});
    const directory = tree.at("sessions/one");
    const journal = await openJournal(directory, { now });
    expect([await journal.append({ type: "a" }), await journal.append("ä")]).toEqual([1, 2]);
    await journal.close();
    const path = tree.at("sessions/one/journal.jsonl");
    // The checksums were calculated by another program.
    expect(readFileSync(path, "utf8")).toBe(
      `{"crc":"b8566a1e","seq":1,"at":"${at}","record":{"type":"a"}}\n{"crc":"db7d42dc","seq":2,"at":"${at}","record":"ä"}\n`,
    );
    expect([directory, path].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o600]);
    expect(readdirSync(directory)).toEqual(["journal.jsonl"]);
  });

  test("goes on where it ended when it is opened again, and replays what it holds", async () => {
    using tree = new TemporaryTree({});
    const first = await openJournal(tree.path, { now });
    await first.append(1);
    await first.close();
    const replayed: unknown[] = [];
    const second = await openJournal(tree.path, { now, replay: (entry) => replayed.push(entry) });
    expect([second.nextSeq, second.damage, replayed]).toEqual([2, undefined, [{ seq: 1, at, record: 1 }]]);
    await second.append(2);
    await second.close();
    expect(await readAll(tree.path)).toEqual({ records: [1, 2], damage: undefined });
  });

  test("takes appends in call order although nobody waits for them", async () => {
    using tree = new TemporaryTree({});
    const journal = await openJournal(tree.path);
    const large = "x".repeat(100_000);
    const seqs = await Promise.all([1, large, 3, 4].map((record) => journal.append(record)));
    await journal.close();
    expect(seqs).toEqual([1, 2, 3, 4]);
    expect(await readAll(tree.path)).toEqual({ records: [1, large, 3, 4], damage: undefined });
  });

  test("keeps what is over 64 KiB in a blob", async () => {
    using tree = new TemporaryTree({});
    const journal = await openJournal(tree.path, { now });
    await journal.append("x".repeat(65_536));
    await journal.close();
    const [id = ""] = readdirSync(tree.at("blobs"));
    expect(readFileSync(tree.at("journal.jsonl"), "utf8").slice(18)).toBe(
      `"seq":1,"at":"${at}","blob":"${id}","bytes":65538,"start":"\\"${"x".repeat(99)}"}\n`,
    );
  });

  test("tells its first and its last records without being read whole", async () => {
    using tree = new TemporaryTree({});
    const journal = await openJournal(tree.path, { now });
    for (let record = 1; record <= 5; record += 1) await journal.append(record);
    await journal.close();
    expect(await readFirstEntry(tree.path)).toEqual({ seq: 1, at, record: 1 });
    expect(await readLastEntries(tree.path, { maxBytes: 130 })).toEqual([{ seq: 5, at, record: 5 }]);
    expect((await readLastEntries(tree.path)).map(({ record }) => record)).toEqual([1, 2, 3, 4, 5]);
  });

  test("that is not there is empty", async () => {
    using tree = new TemporaryTree({});
    expect(await readAll(tree.at("nothing"))).toEqual({ records: [], damage: undefined });
    expect(await readFirstEntry(tree.at("nothing"))).toBeUndefined();
    expect(await readLastEntries(tree.at("nothing"))).toEqual([]);
  });
});
