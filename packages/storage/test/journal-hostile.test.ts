// What lies under the journal's name although it is none, or one that somebody changed.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { openJournal, readFirstEntry, readLastEntries } from "@codelia/storage";
import { TemporaryTree, type TreeDescription } from "../../../test/support/tree.ts";
import { readAll } from "./support/readings.ts";
import { journalOf } from "./support/small-journal.ts";
import { WatchedDisk } from "./support/watched-disk.ts";

const strangers: Record<string, TreeDescription> = {
  "a directory": { "journal.jsonl/": "" },
  "a FIFO": { "journal.jsonl": { fifo: true } },
  "a link to a journal": { "journal.jsonl": { link: "other" }, other: "" },
  "a link to nothing": { "journal.jsonl": { link: "nothing" } },
  "another text": { "journal.jsonl": "hello\n" },
  "only a line feed": { "journal.jsonl": "\n" },
  "other JSON lines": { "journal.jsonl": '{"type":"session"}\n' },
  "binary data": { "journal.jsonl": new Uint8Array([0, 0, 0, 24, 102, 116, 121, 112]) },
};

for (const [what, description] of Object.entries(strangers)) {
  test(`${what} under the journal's name is refused and left alone`, async () => {
    using tree = new TemporaryTree(description);
    const before = readdirSync(tree.path);
    const refusal = {
      name: "StorageError",
      code: "not_a_journal",
      message: `${tree.at("journal.jsonl")}: this is not a journal of Codelia`,
      hint: "It was left as it is. Move it away if it does not belong there.",
    };
    await expect(readAll(tree.path)).rejects.toMatchObject(refusal);
    await expect(readFirstEntry(tree.path)).rejects.toMatchObject(refusal);
    await expect(readLastEntries(tree.path)).rejects.toMatchObject(refusal);
    await expect(openJournal(tree.path)).rejects.toMatchObject(refusal);
    expect(readdirSync(tree.path)).toEqual(before);
  });
}

test("an empty file is an empty journal, and so is one of zeros after a power cut", async () => {
  for (const bytes of [new Uint8Array(), new Uint8Array(5), new Uint8Array(5000)]) {
    using tree = new TemporaryTree({ "journal.jsonl": bytes });
    const journal = await openJournal(tree.path);
    expect(journal.damage?.bytes).toBe(bytes.length || undefined);
    await journal.append(1);
    await journal.close();
    expect(await readAll(tree.path)).toEqual({ records: [1], damage: undefined });
  }
});

test("lines that an editor gave other line ends do not match their checksums", async () => {
  const { bytes } = await journalOf("a", "b");
  const changed = bytes.toString().replaceAll("\n", "\r\n");
  using tree = new TemporaryTree({ "journal.jsonl": changed });
  expect(await readAll(tree.path)).toEqual({
    records: [],
    damage: {
      path: tree.at("journal.jsonl"),
      seq: 1,
      offset: 0,
      bytes: changed.length,
      reason: "checksum",
      keptAt: undefined,
    },
  });
});

test("a line without an end is damage that is not read, though it were a gigabyte", async () => {
  const { bytes } = await journalOf("a");
  using tree = new TemporaryTree({ "journal.jsonl": bytes });
  const size = 1024 ** 3;
  truncateSync(tree.at("journal.jsonl"), size);
  const disk = new WatchedDisk();
  const { records, damage } = await readAll(tree.path, disk);
  expect([records, damage?.reason, damage?.bytes]).toEqual([["a"], "too_long", size - bytes.length]);
  expect(disk.operations.filter((name) => name.startsWith("read ")).length).toBe(1);
  expect((await readFirstEntry(tree.path))?.record).toBe("a");
  expect(await readLastEntries(tree.path)).toEqual([]);
});

test("a line just over the limit is damage, one at the limit is not", async () => {
  const others = (await journalOf("")).bytes.length;
  const atLimit = "x".repeat(64 * 1024 - others);
  const { bytes } = await journalOf(atLimit);
  expect(bytes.length).toBe(64 * 1024);
  using tree = new TemporaryTree({ "journal.jsonl": bytes });
  expect(await readAll(tree.path)).toEqual({ records: [atLimit], damage: undefined });
  writeFileSync(tree.at("journal.jsonl"), bytes.toString().replace("xx", "xxx"));
  expect((await readAll(tree.path)).damage?.reason).toBe("too_long");
});

test("a record whose blob is missing, changed, of another size or no file ends what can be read", async () => {
  const large = "x".repeat(70_000);
  const reasons: unknown[] = [];
  const spoil: ((tree: TemporaryTree, blob: string) => void)[] = [
    (tree, blob) => tree.remove(blob),
    (tree, blob) => writeFileSync(tree.at(blob), readFileSync(tree.at(blob), "utf8").replace("xx", "xy")),
    (tree, blob) => truncateSync(tree.at(blob), 1024 ** 3),
    (tree, blob) => truncateSync(tree.at(blob), 10),
    (tree, blob) => {
      tree.remove(blob);
      tree.add({ [blob]: { fifo: true } });
    },
    (tree, blob) => {
      writeFileSync(tree.at("elsewhere"), readFileSync(tree.at(blob)));
      tree.remove(blob);
      symlinkSync(tree.at("elsewhere"), tree.at(blob));
    },
  ];
  for (const change of spoil) {
    using tree = new TemporaryTree({});
    const journal = await openJournal(tree.path, { disk: new WatchedDisk() });
    for (const record of ["a", large, "c"]) await journal.append(record);
    await journal.close();
    change(tree, `blobs/${readdirSync(tree.at("blobs"))[0]}`);
    const { records, damage } = await readAll(tree.path);
    const again = await openJournal(tree.path, { disk: new WatchedDisk() });
    await again.append("next");
    await again.close();
    reasons.push([records, damage?.seq, damage?.reason, (await readAll(tree.path)).records]);
  }
  const ending = (reason: string) => [["a"], 2, reason, ["a", "next"]];
  expect(reasons).toEqual(spoil.map((_, index) => ending(index === 0 ? "missing_blob" : "damaged_blob")));
});

test("a blob that was swapped for a huge one is not read", async () => {
  using tree = new TemporaryTree({});
  const journal = await openJournal(tree.path, { disk: new WatchedDisk() });
  await journal.append("x".repeat(70_000));
  await journal.close();
  truncateSync(tree.at("blobs", readdirSync(tree.at("blobs"))[0] ?? ""), 1024 ** 3);
  const disk = new WatchedDisk();
  expect((await readAll(tree.path, disk)).damage?.reason).toBe("damaged_blob");
  expect(disk.operations.filter((name) => name === "read blob")).toEqual([]);
});

test("a line that names no blob but a path ends what can be read", async () => {
  const reasons = [];
  for (const id of ["../journal.jsonl", "/etc/passwd", "", "A".repeat(32)]) {
    const body = `"seq":1,"at":"x","blob":${JSON.stringify(id)},"bytes":3}`;
    const crc = Bun.hash.crc32(body).toString(16).padStart(8, "0");
    using tree = new TemporaryTree({ "journal.jsonl": `{"crc":"${crc}",${body}\n` });
    reasons.push((await readAll(tree.path)).damage?.reason);
  }
  expect(reasons).toEqual(["damaged_blob", "damaged_blob", "damaged_blob", "damaged_blob"]);
});

test("a directory that is reached through a link works as any other", async () => {
  using tree = new TemporaryTree({ "real/": "", sessions: { link: "real" } });
  const journal = await openJournal(tree.at("sessions/one"));
  await journal.append("x".repeat(70_000));
  await journal.close();
  expect(await readAll(tree.at("real/one"))).toEqual({ records: ["x".repeat(70_000)], damage: undefined });
});
