// Whatever became of a journal's bytes: the records before the first wrong byte load, and the rest is kept.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type DamageReason, openJournal, readFirstEntry, readLastEntries } from "@codelia/storage";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { readAll } from "./support/readings.ts";
import { journalOf, now, type SmallJournal } from "./support/small-journal.ts";
import { WatchedDisk } from "./support/watched-disk.ts";

const records = [{ type: "a" }, ["b", 2], "ä\n", { d: null }, 5];

/** Opens it for writing, appends one record, and reads everything again. */
async function goOn(directory: string) {
  const { damage, append, close } = await opened(directory);
  await append("next");
  await close();
  const names = readdirSync(directory).filter((name) => name.includes(".damaged-"));
  const kept: Buffer[] = names.map((name) => readFileSync(`${directory}/${name}`));
  return { damage, kept, reading: await readAll(directory) };
}

async function opened(directory: string) {
  const journal = await openJournal(directory, { now, disk: new WatchedDisk() });
  // The end of the name is random.
  const keptAt = journal.damage?.keptAt?.replace(/-[0-9a-f]{8}$/, "");
  return {
    damage: journal.damage && { ...journal.damage, keptAt },
    append: (record: unknown) => journal.append(record),
    close: () => journal.close(),
  };
}

function damageAt(tree: TemporaryTree, { bytes, starts }: SmallJournal, index: number, reason: DamageReason) {
  const offset = starts[index] ?? 0;
  return { path: tree.at("journal.jsonl"), seq: index + 1, offset, bytes: bytes.length - offset, reason };
}

test("cut at any byte of its last three records, it loads up to there and goes on from there", async () => {
  const whole = await journalOf(...records);
  for (let length = whole.starts[2] ?? 0; length <= whole.bytes.length; length += 1) {
    const bytes = whole.bytes.subarray(0, length);
    using tree = new TemporaryTree({ "journal.jsonl": bytes });
    const left = whole.starts.findLastIndex((start) => start <= length);
    const valid = records.slice(0, left);
    const isTorn = whole.starts[left] !== length;
    const damage = isTorn ? damageAt(tree, { ...whole, bytes }, left, "torn") : undefined;
    expect(await readAll(tree.path)).toEqual({
      records: valid,
      damage: damage && { ...damage, keptAt: undefined },
    });
    expect(await goOn(tree.path)).toEqual({
      damage: damage && { ...damage, keptAt: tree.at("journal.jsonl.damaged-20261116T120000Z") },
      kept: isTorn ? [bytes.subarray(whole.starts[left])] : [],
      reading: { records: [...valid, "next"], damage: undefined },
    });
  }
});

test("with any one bit turned over, it loads up to the record that has it", async () => {
  const whole = await journalOf(...records);
  using tree = new TemporaryTree({ "journal.jsonl": whole.bytes });
  for (let bit = 8 * 8; bit < whole.bytes.length * 8; bit += 1) {
    const bytes = flipped(whole.bytes, bit);
    writeFileSync(tree.at("journal.jsonl"), bytes);
    const index = whole.starts.findLastIndex((start) => start <= bit >> 3);
    // Without its line feed the last record is torn.
    const reason = bit >> 3 === whole.bytes.length - 1 ? "torn" : "checksum";
    expect({ bit, ...(await readAll(tree.path)) }).toEqual({
      bit,
      records: records.slice(0, index),
      damage: { ...damageAt(tree, whole, index, reason), keptAt: undefined },
    });
  }
});

test("with a bit turned over in any byte, it is opened, goes on before it, and keeps what was cut off", async () => {
  const whole = await journalOf(...records);
  for (let byte = 8; byte < whole.bytes.length; byte += 1) {
    const bytes = flipped(whole.bytes, byte * 8 + (byte % 8));
    using tree = new TemporaryTree({ "journal.jsonl": bytes });
    const index = whole.starts.findLastIndex((start) => start <= byte);
    const { kept, reading } = await goOn(tree.path);
    expect({ byte, kept, reading }).toEqual({
      byte,
      kept: [bytes.subarray(whole.starts[index])],
      reading: { records: [...records.slice(0, index), "next"], damage: undefined },
    });
  }
});

test("with its first bytes changed, it is not taken for a journal and left alone", async () => {
  const whole = await journalOf(...records);
  for (let bit = 0; bit < 8 * 8; bit += 1) {
    const bytes = flipped(whole.bytes, bit);
    using tree = new TemporaryTree({ "journal.jsonl": bytes });
    const refusal = { code: "not_a_journal", path: tree.at("journal.jsonl") };
    await expect(readAll(tree.path)).rejects.toMatchObject(refusal);
    await expect(openJournal(tree.path)).rejects.toMatchObject(refusal);
    const left: Buffer = readFileSync(tree.at("journal.jsonl"));
    expect([readdirSync(tree.path), left]).toEqual([["journal.jsonl"], bytes]);
  }
});

test("a record that is missing, there twice, or out of order is found by its number", async () => {
  const whole = await journalOf(...records);
  const [a, b, c] = [0, 1, 2].map((index) =>
    whole.bytes.subarray(whole.starts[index], whole.starts[index + 1]),
  );
  const orders = [
    [a, c],
    [a, b, b, c],
    [b, a],
    [a, c, b],
  ];
  const found = [];
  for (const lines of orders) {
    using tree = new TemporaryTree({
      "journal.jsonl": Buffer.concat(lines.filter((line) => line !== undefined)),
    });
    const { records: valid, damage } = await readAll(tree.path);
    found.push([valid.length, damage?.seq, damage?.reason]);
  }
  expect(found).toEqual([
    [1, 2, "sequence"],
    [2, 3, "sequence"],
    [0, 1, "sequence"],
    [1, 2, "sequence"],
  ]);
});

test("sound bytes that are no record of this format are damage", async () => {
  const bodies = [
    '"seq":1',
    '"seq":1,"at":"x"',
    '"seq":"1","at":"x","record":1',
    "x",
    '"seq":1,"at":"x","blob":1,"bytes":2',
  ];
  const reasons = [];
  for (const body of bodies) {
    const crc = Bun.hash.crc32(`${body}}`).toString(16).padStart(8, "0");
    using tree = new TemporaryTree({ "journal.jsonl": `{"crc":"${crc}",${body}}\n` });
    reasons.push((await readAll(tree.path)).damage?.reason);
  }
  expect(reasons).toEqual(["json", "json", "json", "json", "json"]);
});

test("the first and the last records are read past damage elsewhere, but never a wrong one", async () => {
  const whole = await journalOf(...records);
  const tailOf = async (bytes: Buffer) => {
    using tree = new TemporaryTree({ "journal.jsonl": bytes });
    const last = await readLastEntries(tree.path, { maxBytes: 200 });
    return [(await readFirstEntry(tree.path))?.record, last.map(({ record }) => record)];
  };
  const lastStart = whole.starts[4] ?? 0;
  expect(await tailOf(flipped(whole.bytes, ((whole.starts[1] ?? 0) + 30) * 8))).toEqual([
    { type: "a" },
    [{ d: null }, 5],
  ]);
  expect(await tailOf(whole.bytes.subarray(0, lastStart + 10))).toEqual([
    { type: "a" },
    ["ä\n", { d: null }],
  ]);
  expect(await tailOf(flipped(whole.bytes, (lastStart + 30) * 8))).toEqual([{ type: "a" }, [{ d: null }]]);
  expect(await tailOf(flipped(whole.bytes, 30 * 8))).toEqual([undefined, [{ d: null }, 5]]);
});

function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}
