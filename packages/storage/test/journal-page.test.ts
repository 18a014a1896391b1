import { describe, expect, test } from "bun:test";
import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import {
  type DamageReason,
  type EarlierOptions,
  type EarlierPage,
  type JournalEntry,
  type JournalPosition,
  journalMayHold,
  openJournal,
  readBackwards,
  readEarlierPage,
  readJournalPage,
} from "@codelia/storage";
import { TemporaryTree } from "../../../test/support/tree.ts";

const now = () => new Date("2026-11-16T12:00:00Z");
const at = "2026-11-16T12:00:00.000Z";
const large = "x".repeat(100_000);

async function journalOf(directory: string, records: readonly unknown[]): Promise<void> {
  const journal = await openJournal(directory, { now });
  for (const record of records) await journal.append(record);
  await journal.close();
}

async function backwards(directory: string, maxBytes?: number): Promise<JournalEntry[]> {
  const found: JournalEntry[] = [];
  const options = maxBytes === undefined ? {} : { maxBytes };
  for await (const entry of readBackwards(directory, options)) found.push(entry);
  return found;
}

describe("readJournalPage", () => {
  test("gives all records once, whatever ends a page", async () => {
    using tree = new TemporaryTree({});
    const records = [1, large, "ä", ...Array.from({ length: 30 }, (_, index) => `${index}`.repeat(20_000))];
    await journalOf(tree.path, records);
    const limits = [{}, { maxRecords: 1 }, { maxRecords: 7 }, { maxBytes: 1 }, { maxBytes: 90_000 }];
    for (const limit of limits) {
      const found: unknown[] = [];
      let from: JournalPosition | undefined;
      do {
        const page = await readJournalPage(tree.path, { ...limit, ...(from === undefined ? {} : { from }) });
        expect(page.damage).toBeUndefined();
        found.push(...page.entries.map(({ record }) => record));
        from = page.next;
      } while (from !== undefined);
      expect(found).toEqual(records);
    }
  });

  test("counts a body in a blob, so that a page of such records is bounded too", async () => {
    using tree = new TemporaryTree({});
    await journalOf(tree.path, [large, `${large}2`, `${large}3`]);
    const { entries } = await readJournalPage(tree.path, { maxBytes: 150_000 });
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2]);
  });

  test("reports what is wrong with the rest, and gives what is before it", async () => {
    using tree = new TemporaryTree({});
    await journalOf(tree.path, [1, 2]);
    const path = tree.at("journal.jsonl");
    const whole = readFileSync(path);
    const first = whole.indexOf("\n") + 1;
    const damages: [DamageReason, Buffer][] = [
      ["torn", whole.subarray(0, whole.length - 1)],
      ["checksum", Buffer.concat([whole.subarray(0, first), Buffer.from("{}\n")])],
      ["too_long", Buffer.concat([whole.subarray(0, first), Buffer.alloc(70_000, "x")])],
      ["sequence", Buffer.concat([whole.subarray(0, first), whole.subarray(0, first)])],
    ];
    for (const [reason, bytes] of damages) {
      writeFileSync(path, bytes);
      expect(await readJournalPage(tree.path)).toEqual({
        entries: [{ seq: 1, at, record: 1 }],
        next: undefined,
        end: { seq: 2, offset: first },
        damage: { path, seq: 2, offset: first, bytes: bytes.length - first, reason, keptAt: undefined },
      });
    }
  });

  test("has nothing to give of a journal that is not there", async () => {
    using tree = new TemporaryTree({});
    expect(await readJournalPage(tree.at("none"))).toEqual({
      entries: [],
      next: undefined,
      end: { seq: 1, offset: 0 },
      damage: undefined,
    });
  });
});

async function earlierPages(
  directory: string,
  limit: Omit<EarlierOptions, "before">,
  between: () => Promise<void> = async () => undefined,
): Promise<EarlierPage[]> {
  const pages: EarlierPage[] = [];
  let before: JournalPosition | undefined;
  do {
    const page = await readEarlierPage(directory, { ...limit, ...(before === undefined ? {} : { before }) });
    pages.push(page);
    before = page.earlier;
    await between();
  } while (before !== undefined);
  return pages;
}

const seqs = ({ entries }: Pick<EarlierPage, "entries">) => entries.map(({ seq }) => seq);

describe("readEarlierPage", () => {
  test("gives all records once, whatever ends a page, also while more are written; those are read from its end on", async () => {
    const records = [1, large, "ä", ...Array.from({ length: 30 }, (_, index) => `${index}`.repeat(20_000))];
    const limits = [{}, { maxRecords: 1 }, { maxRecords: 7 }, { maxBytes: 1 }, { maxBytes: 90_000 }];
    for (const limit of limits) {
      using tree = new TemporaryTree({});
      await journalOf(tree.path, records);
      let written = 0;
      const pages = await earlierPages(tree.path, limit, async () => {
        written += 1;
        await journalOf(tree.path, [`later ${written}`]);
      });
      const later = await readJournalPage(tree.path, { from: pages[0]?.end ?? { seq: 0, offset: 0 } });
      expect([
        pages.toReversed().flatMap(({ entries }) => entries.map(({ record }) => record)),
        later.entries.map(({ record }) => record),
        pages.every(({ damage }) => damage === undefined),
      ]).toEqual([records, Array.from({ length: written }, (_, index) => `later ${index + 1}`), true]);
    }
  });

  test("ends a page where the limit is reached, with the newest records", async () => {
    using tree = new TemporaryTree({});
    await journalOf(tree.path, [1, 2, 3, large, 5]);
    expect((await earlierPages(tree.path, { maxRecords: 2 })).map(seqs)).toEqual([[4, 5], [2, 3], [1]]);
    expect((await earlierPages(tree.path, { maxBytes: 90_000 })).map(seqs)).toEqual([
      [4, 5],
      [1, 2, 3],
    ]);
  });

  test("gives what reading from the start gives of a journal that is not whole, and says the same of the rest", async () => {
    using tree = new TemporaryTree({});
    await journalOf(tree.path, [1, 2, 3]);
    const path = tree.at("journal.jsonl");
    const whole = readFileSync(path);
    const first = whole.indexOf("\n") + 1;
    const third = whole.subarray(0, whole.length - 1).lastIndexOf("\n") + 1;
    const damages: Buffer[] = [
      whole.subarray(0, whole.length - 1),
      Buffer.concat([whole.subarray(0, first), Buffer.from("{}\n"), whole.subarray(third)]),
      Buffer.concat([whole.subarray(0, first), Buffer.alloc(70_000, "x")]),
      Buffer.concat([whole.subarray(0, first), Buffer.alloc(300_000, "x"), whole.subarray(first)]),
      Buffer.concat([whole.subarray(0, first), whole.subarray(0, first)]),
      Buffer.concat([whole.subarray(0, first), whole.subarray(third)]),
      Buffer.alloc(0),
    ];
    for (const bytes of damages) {
      writeFileSync(path, bytes);
      const { next: _, ...forward } = await readJournalPage(tree.path);
      const { earlier, ...backward } = await readEarlierPage(tree.path);
      expect([backward, earlier]).toEqual([forward, undefined]);
    }
  });

  test("ends before a record whose body is gone, as reading from the start does", async () => {
    using tree = new TemporaryTree({});
    await journalOf(tree.path, [1, large, 3, 4]);
    rmSync(tree.at("blobs"), { recursive: true });
    const { next: _, ...forward } = await readJournalPage(tree.path);
    const { earlier, ...backward } = await readEarlierPage(tree.path);
    expect([backward, earlier, backward.damage?.reason]).toEqual([forward, undefined, "missing_blob"]);
  });

  test("finds nothing at a place that no page gave", async () => {
    using tree = new TemporaryTree({});
    await journalOf(tree.path, [1, 2, "x".repeat(50_000)]);
    const { size } = statSync(tree.at("journal.jsonl"));
    const places = [
      { seq: 3, offset: 5 },
      { seq: 9, offset: size },
      { seq: 4, offset: size + 400_000 },
      { seq: 1, offset: 0 },
    ];
    const pages = await Promise.all(places.map((before) => readEarlierPage(tree.path, { before })));
    expect(pages.map((page) => [seqs(page), page.damage?.reason])).toEqual([
      [[], "torn"],
      [[], "sequence"],
      [[], "torn"],
      [[], undefined],
    ]);
  });

  test("has nothing to give of a journal that is not there", async () => {
    using tree = new TemporaryTree({});
    const end = { seq: 1, offset: 0 };
    expect(await readEarlierPage(tree.at("none"))).toEqual({
      entries: [],
      earlier: undefined,
      end,
      damage: undefined,
    });
  });
});

describe("readBackwards", () => {
  test("gives the newest record first, bodies in blobs included", async () => {
    using tree = new TemporaryTree({});
    await journalOf(tree.path, [1, large, 3]);
    expect((await backwards(tree.path)).map(({ record }) => record)).toEqual([3, large, 1]);
  });

  test("leaves out what is torn or not valid, and what lies before the last bytes", async () => {
    using tree = new TemporaryTree({});
    await journalOf(tree.path, [1, 2, 3]);
    const path = tree.at("journal.jsonl");
    const line = readFileSync(path).indexOf("\n") + 1;
    expect((await backwards(tree.path, 2 * line + 5)).map(({ record }) => record)).toEqual([3, 2]);
    appendFileSync(path, 'no record\n{"crc":"');
    expect((await backwards(tree.path)).map(({ record }) => record)).toEqual([3, 2, 1]);
    expect(await backwards(tree.at("none"))).toEqual([]);
  });
});

describe("journalMayHold", () => {
  test("is true for what a record holds, in the journal or in a blob, also across two pieces of the file", async () => {
    using tree = new TemporaryTree({});
    const filler = Array.from({ length: 5 }, () => "y".repeat(60_000));
    await journalOf(tree.path, ["Needle one", ...filler, `${large} needle two`]);
    const looks = [/NEEDLE ONE/i, /needle two/, /y{900}/, /needle three/];
    expect(await Promise.all(looks.map((pattern) => journalMayHold(tree.path, pattern)))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  test("looks into the further blobs that it is told of", async () => {
    using tree = new TemporaryTree({});
    const journal = await openJournal(tree.path, { now });
    const ref = await journal.blobs.put(new TextEncoder().encode("the whole output"));
    await journal.append({ ref });
    await journal.append({ ref: "0".repeat(32) });
    await journal.close();
    const elsewhere = [/"ref":"[0-9a-f]{32}"/g];
    expect([
      await journalMayHold(tree.path, /whole/),
      await journalMayHold(tree.path, /whole/, { elsewhere }),
      await journalMayHold(tree.path, /half/, { elsewhere }),
    ]).toEqual([false, true, false]);
  });
});
