// Records that a reader does not need are checked like all others, but neither parsed nor handed out.
import { describe, expect, test } from "bun:test";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { type LeaveOut, openJournal } from "@codelia/storage";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { at, journalOf, now } from "./support/small-journal.ts";
import { WatchedDisk } from "./support/watched-disk.ts";

const big = { type: "big", text: 'ä"\n'.repeat(30_000) };
const records = [
  { type: "kept" },
  { type: "left", text: '",' },
  big,
  { type: "left" },
  { type: "kept", last: true },
];
const leaveOut: LeaveOut = ({ seq, start }) => seq < 4 && /^\{"type":"(?:left|big)"/.test(start);

async function replayed(directory: string) {
  const handed: unknown[] = [];
  const journal = await openJournal(directory, {
    now,
    disk: new WatchedDisk(),
    replay: (entry) => handed.push(entry),
    leaveOut,
  });
  const { nextSeq, damage } = journal;
  await journal.close();
  return { handed, nextSeq, damage: damage && [damage.seq, damage.reason] };
}

async function withJournal(): Promise<TemporaryTree> {
  const tree = new TemporaryTree({});
  const journal = await openJournal(tree.path, { now, disk: new WatchedDisk() });
  for (const record of records) await journal.append(record);
  await journal.close();
  return tree;
}

const entry = (seq: number) => ({ seq, at, record: records[seq - 1] });

describe("records that are left out", () => {
  test("are told by their number and how they begin, in a blob as well, and counted", async () => {
    using tree = await withJournal();
    expect(await replayed(tree.path)).toEqual({
      handed: [entry(1), entry(4), entry(5)],
      nextSeq: 6,
      damage: undefined,
    });
  });

  test("are damage where a bit is turned over, and end what is handed out", async () => {
    const { bytes, starts } = await journalOf(...records.slice(0, 2), "x");
    for (let position = (starts[1] ?? 0) * 8; position < ((starts[2] ?? 0) - 1) * 8; position += 1) {
      using tree = new TemporaryTree({});
      const changed = Buffer.from(bytes);
      changed[position >> 3] = (changed[position >> 3] ?? 0) ^ (1 << (position & 7));
      writeFileSync(tree.at("journal.jsonl"), changed);
      const { handed, nextSeq, damage } = await replayed(tree.path);
      expect({ position, handed, nextSeq, at: damage?.[0] }).toEqual({
        position,
        handed: [entry(1)],
        nextSeq: 2,
        at: 2,
      });
    }
  });

  test("are damage where they have another one's number", async () => {
    const { bytes, starts } = await journalOf(...records.slice(0, 2), "x");
    const [first = 0, second = 0] = starts.slice(1);
    const twice = Buffer.concat([bytes.subarray(0, second), bytes.subarray(first, second)]);
    using tree = new TemporaryTree({ "journal.jsonl": twice });
    expect(await replayed(tree.path)).toEqual({ handed: [entry(1)], nextSeq: 3, damage: [3, "sequence"] });
  });

  test("need no blob", async () => {
    using tree = await withJournal();
    const [blob = ""] = readdirSync(tree.at("blobs"));
    rmSync(tree.at("blobs", blob));
    expect((await replayed(tree.path)).damage).toBeUndefined();
  });
});
