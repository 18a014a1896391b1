// Whatever JSON holds goes in and comes out again, however it is cut into processes.
import { expect, test } from "bun:test";
import { appendFileSync } from "node:fs";
import { openJournal, readFirstEntry, readLastEntries } from "@codelia/storage";
import fc from "fast-check";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { crc32, loadFastCrc32, plainCrc32 } from "../src/journal/crc32.ts";
import { readAll } from "./support/readings.ts";
import { WatchedDisk } from "./support/watched-disk.ts";

const text = fc.string({ unit: "binary" });
const large = fc
  .tuple(text, fc.integer({ min: 60_000, max: 70_000 }))
  .map(([start, length]) => start.padEnd(length, "ä"));
const record = fc.oneof(
  { weight: 20, arbitrary: fc.jsonValue({ stringUnit: "binary" }) },
  { weight: 1, arbitrary: large },
);

test("any JSON is read as it was appended", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(record, { maxLength: 5 }), { maxLength: 4 }), async (sessions) => {
      using tree = new TemporaryTree({});
      for (const records of sessions) {
        const journal = await openJournal(tree.path, { disk: new WatchedDisk() });
        await Promise.all(records.map((each) => journal.append(each)));
        await journal.close();
      }
      // What JSON does not tell apart (-0 and 0) is not told apart here.
      const all: unknown[] = sessions.flat().map((each): unknown => JSON.parse(JSON.stringify(each)));
      expect(await readAll(tree.path)).toEqual({ records: all, damage: undefined });
      expect((await readFirstEntry(tree.path))?.record).toEqual(all[0]);
      expect((await readLastEntries(tree.path)).at(-1)?.record).toEqual(all.at(-1));
    }),
    { numRuns: 60 },
  );
});

test("any bytes after a valid journal are damage or nothing, and never a record that was not appended", async () => {
  const tail = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string().map((each) => new TextEncoder().encode(each)),
  );
  await fc.assert(
    fc.asyncProperty(tail, async (bytes) => {
      using tree = new TemporaryTree({});
      const journal = await openJournal(tree.path, { disk: new WatchedDisk() });
      await journal.append("sound");
      await journal.close();
      appendFileSync(tree.at("journal.jsonl"), bytes);
      const { records, damage } = await readAll(tree.path);
      expect([records, damage?.bytes ?? 0]).toEqual([["sound"], bytes.length]);
    }),
    { numRuns: 60 },
  );
});

test("the checksum is CRC-32, as another program calculates it, also for a long journal", async () => {
  await loadFastCrc32();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const expected = Bun.hash.crc32(bytes);
      expect([plainCrc32(bytes), crc32(bytes)]).toEqual([expected, expected]);
    }),
    { numRuns: 500 },
  );
});
