// Content under its own name: written whole or not at all, never mistaken for another.
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type BlobLine, openBlobs } from "@codelia/storage";
import fc from "fast-check";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { WatchedDisk } from "./support/watched-disk.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const idOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 32);

describe("a blob", () => {
  test("is named by its content and for the user alone", async () => {
    using tree = new TemporaryTree({});
    const blobs = openBlobs(tree.at("a/blobs"));
    const id = await blobs.put(bytesOf("content"));
    expect(id).toBe(idOf("content"));
    expect(readFileSync(blobs.pathOf(id), "utf8")).toBe("content");
    expect(
      [tree.at("a"), tree.at("a/blobs"), blobs.pathOf(id)].map((path) => statSync(path).mode & 0o777),
    ).toEqual([0o700, 0o700, 0o600]);
  });

  test("that comes in parts has the same name as one that comes at once, and there is one file", async () => {
    using tree = new TemporaryTree({});
    const blobs = openBlobs(tree.path);
    const writer = await blobs.create();
    await writer.write(bytesOf("con"));
    await writer.write(bytesOf("tent"));
    const ids = [
      await writer.finish(),
      await blobs.put(bytesOf("content")),
      await blobs.put(bytesOf("content")),
    ];
    expect([ids, readdirSync(tree.path)]).toEqual([ids.map(() => idOf("content")), [idOf("content")]]);
  });

  test("that is discarded leaves nothing", async () => {
    using tree = new TemporaryTree({});
    const writer = await openBlobs(tree.path).create();
    await writer.write(bytesOf("x"));
    await writer.discard();
    expect(readdirSync(tree.path)).toEqual([]);
  });

  test("that could not be written takes no more, says the same reason again, and leaves nothing", async () => {
    using tree = new TemporaryTree({});
    let writes = 0;
    const disk = new WatchedDisk(({ name }) => {
      if (!name.startsWith("write ")) return "do";
      writes += 1;
      return writes === 2 ? "ENOSPC" : "do";
    });
    const writer = await openBlobs(tree.path, disk).create();
    await writer.write(bytesOf("first"));
    const failure = { code: "write_failed", cause: { code: "ENOSPC" } };
    await expect(writer.write(bytesOf("second"))).rejects.toMatchObject(failure);
    await expect(writer.write(bytesOf("third"))).rejects.toMatchObject(failure);
    await expect(writer.finish()).rejects.toMatchObject(failure);
    expect([writes, readdirSync(tree.path)]).toEqual([2, []]);
  });

  test("is read whole, in part, and by size; what lies beyond its end is left out", async () => {
    using tree = new TemporaryTree({});
    const blobs = openBlobs(tree.path);
    const id = await blobs.put(bytesOf("0123456789"));
    const read = async (start: number, end: number) =>
      Buffer.from(await blobs.read(id, { start, end })).toString();
    expect([
      Buffer.from(await blobs.read(id)).toString(),
      await read(2, 4),
      await read(8, 100),
      await read(20, 30),
      await read(-5, 1),
      await read(4, 2),
      await blobs.size(id),
    ]).toEqual(["0123456789", "23", "89", "", "0", "", 10]);
  });

  test("is there or not, and says what is wrong when it is read", async () => {
    using tree = new TemporaryTree({});
    const blobs = openBlobs(tree.at("blobs"));
    const id = idOf("content");
    expect(await blobs.has(id)).toBe(false);
    await expect(blobs.read(id)).rejects.toMatchObject({ code: "blob_missing", path: blobs.pathOf(id) });
    await expect(blobs.size(id)).rejects.toMatchObject({ code: "blob_missing" });
    await blobs.put(bytesOf("content"));
    expect(await blobs.has(id)).toBe(true);
    writeFileSync(blobs.pathOf(id), "other");
    await expect(blobs.read(id)).rejects.toMatchObject({
      code: "blob_damaged",
      message: `${blobs.pathOf(id)}: this blob is not what its name says`,
    });
    expect(Buffer.from(await blobs.read(id, { start: 0, end: 5 })).toString()).toBe("other");
  });

  test("that was damaged is mended by the same content", async () => {
    using tree = new TemporaryTree({});
    const blobs = openBlobs(tree.path);
    for (const content of ["content", "CONTENT", ""]) {
      writeFileSync(tree.at(idOf("content")), content);
      await blobs.put(bytesOf("content"));
      expect(readFileSync(tree.at(idOf("content")), "utf8")).toBe("content");
    }
  });

  test("is never waited for, followed or mistaken: a FIFO, a link and a directory are damaged blobs", async () => {
    const id = idOf("content");
    using tree = new TemporaryTree({
      [`fifo/${id}`]: { fifo: true },
      [`link/${id}`]: { link: "../file" },
      [`directory/${id}/`]: "",
      file: "content",
    });
    for (const name of ["fifo", "link", "directory"]) {
      const blobs = openBlobs(tree.at(name));
      await expect(blobs.read(id)).rejects.toMatchObject({ code: "blob_damaged" });
      expect(await blobs.has(id)).toBe(false);
    }
  });

  test("has no name but an id", async () => {
    using tree = new TemporaryTree({ "blobs/": "", x: "secret" });
    const blobs = openBlobs(tree.at("blobs"));
    for (const id of [
      "../x",
      "x",
      "",
      `${"0".repeat(31)}G`,
      `${"0".repeat(32)}\n`,
      "0".repeat(33),
      "A".repeat(32),
    ]) {
      expect(() => blobs.pathOf(id)).toThrow("is not the id of a blob");
      await expect(blobs.has(id)).rejects.toMatchObject({ code: "invalid_blob_id" });
      await expect(blobs.lines(id).next()).rejects.toMatchObject({ code: "invalid_blob_id" });
    }
  });

  test("whose writer died leaves a draft, which is removed on demand", async () => {
    using tree = new TemporaryTree({});
    const blobs = openBlobs(tree.path);
    const id = await blobs.put(bytesOf("content"));
    await (await blobs.create()).write(bytesOf("unfinished"));
    expect(readdirSync(tree.path).length).toBe(2);
    await blobs.removeDrafts();
    await openBlobs(tree.at("nothing")).removeDrafts();
    expect(readdirSync(tree.path)).toEqual([id]);
  });
});

describe("lines of a blob", () => {
  const linesOf = async (content: string): Promise<BlobLine[]> => {
    using tree = new TemporaryTree({});
    const blobs = openBlobs(tree.path, new WatchedDisk());
    return await Array.fromAsync(blobs.lines(await blobs.put(bytesOf(content))));
  };

  test("come one by one, the last one with or without a line feed", async () => {
    expect(await linesOf("a\n\nb\r\nä")).toEqual(["a", "", "b\r", "ä"].map((text) => ({ text, cut: false })));
    expect([await linesOf(""), await linesOf("\n")]).toEqual([[], [{ text: "", cut: false }]]);
  });

  test("over 64 KiB are cut, at a whole character, and counted once", async () => {
    const limit = 64 * 1024;
    const long = `x${"ä".repeat(limit)}`;
    const atLimit = "y".repeat(limit);
    expect(await linesOf(`${long}\n${atLimit}\n${"z".repeat(10 * limit)}\nend\n${long}`)).toEqual([
      { text: `x${"ä".repeat(limit / 2 - 1)}`, cut: true },
      { text: atLimit, cut: false },
      { text: "z".repeat(limit), cut: true },
      { text: "end", cut: false },
      { text: `x${"ä".repeat(limit / 2 - 1)}`, cut: true },
    ]);
  });

  test("are those that the text has, whatever it is", async () => {
    const line = fc.oneof(
      fc.string({ unit: fc.constantFrom("a", "ä", "漢") }),
      fc.integer({ max: 65_536, min: 60_000 }).map((n) => "x".repeat(n)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
        const found = await linesOf(lines.map((each) => `${each}\n`).join(""));
        expect(found).toEqual(lines.map((text) => ({ text, cut: false })));
      }),
      { numRuns: 60 },
    );
  });
});

for (const fate of ["ENOSPC", "EIO", "EMFILE"] as const) {
  test(`a call that fails with ${fate} while a blob is written is an error with a code and leaves no half of it`, async () => {
    const write = async (directory: string, disk: WatchedDisk) => {
      const writer = await openBlobs(directory, disk).create();
      await writer.write(bytesOf("one"));
      await writer.write(bytesOf("two"));
      return await writer.finish();
    };
    using whole = new TemporaryTree({});
    const counted = new WatchedDisk();
    const id = await write(whole.at("blobs"), counted);
    for (const at of counted.operations.keys()) {
      using tree = new TemporaryTree({});
      const disk = new WatchedDisk(({ index }) => (index === at ? fate : "do"));
      const outcome = await write(tree.at("blobs"), disk).catch((error: unknown) => error);
      const left = readdirSync(tree.path).length === 0 ? [] : readdirSync(tree.at("blobs"));
      const isNamed = disk.operations.includes("rename blob") && disk.operations[at] !== "rename blob";
      expect({ at, left }).toEqual({ at, left: isNamed ? [id] : [] });
      if (outcome !== id) expect(outcome).toMatchObject({ name: "StorageError", code: "write_failed" });
    }
  });
}
