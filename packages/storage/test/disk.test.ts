// The disk port on the real disk: the same on this thread and in the thread pool.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import {
  appendFlags,
  createFlags,
  createNodeDisk,
  type Disk,
  makeDirectory,
  readFlags,
  readFully,
  syncDirectory,
  writeAll,
} from "@codelia/storage";
import { TemporaryTree } from "../../../test/support/tree.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

const disks: Record<string, Disk> = { directly: createNodeDisk(), "in the thread pool": createNodeDisk(0) };

for (const [how, disk] of Object.entries(disks)) {
  describe(`the real disk, ${how}`, () => {
    test("creates, writes, cuts, reads and closes files", async () => {
      using tree = new TemporaryTree({});
      const file = await disk.open(tree.at("file"), createFlags, 0o600);
      expect([await file.write(bytesOf("01234")), await file.write(bytesOf("56789"))]).toEqual([
        { bytesWritten: 5 },
        { bytesWritten: 5 },
      ]);
      await file.chmod(0o640);
      await file.sync();
      await file.close();
      await file.close();
      const appended = await disk.open(tree.at("file"), appendFlags, 0o600);
      await appended.truncate(4);
      await appended.write(bytesOf("end"));
      const buffer = new Uint8Array(100);
      expect([await readFully(appended, buffer, 2), (await appended.stat()).size]).toEqual([5, 7]);
      expect(Buffer.from(buffer.subarray(0, 5)).toString()).toBe("23end");
      await appended.close();
      expect(statSync(tree.at("file")).mode & 0o777).toBe(0o640);
    });

    test("a closed file takes no more calls: none of them reaches the file that got its number", async () => {
      using tree = new TemporaryTree({});
      const file = await disk.open(tree.at("closed"), appendFlags, 0o600);
      await file.write(bytesOf("before"));
      await file.close();
      // The system gives the lowest number that is free, which is that of the closed one.
      const other = await disk.open(tree.at("other"), appendFlags, 0o600);
      const calls = [
        () => file.write(bytesOf("after")),
        () => file.read(new Uint8Array(9), 0, 9, 0),
        () => file.stat(),
        () => file.truncate(0),
        () => file.sync(),
        () => file.chmod(0o777),
        () => file.chown(0, 0),
      ];
      await other.write(bytesOf("own"));
      for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "EBADF" });
      await other.close();
      expect(
        ["closed", "other"].map((name) => [
          readFileSync(tree.at(name), "utf8"),
          statSync(tree.at(name)).mode & 0o777,
        ]),
      ).toEqual([
        ["before", 0o600],
        ["own", 0o600],
      ]);
    });

    test("a close waits for the calls under way: what they write reaches their own file", async () => {
      using tree = new TemporaryTree({});
      const part = new Uint8Array(300 * 1024).fill(0x61);
      for (let round = 0; round < 20; round += 1) {
        const file = await disk.open(tree.at(`file-${round}`), appendFlags, 0o600);
        const writes = Array.from({ length: 8 }, () => file.write(part));
        await file.close();
        const other = await disk.open(tree.at(`other-${round}`), appendFlags, 0o600);
        await Promise.all(writes);
        await other.close();
      }
      const sizes = Array.from({ length: 20 }, (_, round) => [
        statSync(tree.at(`file-${round}`)).size,
        statSync(tree.at(`other-${round}`)).size,
      ]);
      expect(sizes).toEqual(sizes.map(() => [8 * part.length, 0]));
    });

    test("writes and reads what is too large for one small operation", async () => {
      using tree = new TemporaryTree({});
      const large = new Uint8Array(1024 * 1024).map((_, index) => index % 251);
      const file = await disk.open(tree.at("file"), appendFlags, 0o600);
      await writeAll(file, large);
      const buffer = new Uint8Array(large.length);
      await readFully(file, buffer, 0);
      await file.close();
      expect(Buffer.compare(buffer, large)).toBe(0);
    });

    test("makes, lists, links, renames and removes names", async () => {
      using tree = new TemporaryTree({ link: { link: "target" } });
      expect(await makeDirectory(disk, tree.at("a/b"))).toEqual([tree.path, tree.at("a")]);
      expect(await makeDirectory(disk, tree.at("a/b"))).toEqual([]);
      await (await disk.open(tree.at("a/b/one"), createFlags, 0o600)).close();
      await disk.link(tree.at("a/b/one"), tree.at("a/b/two"));
      await disk.rename(tree.at("a/b/one"), tree.at("a/b/three"));
      await disk.unlink(tree.at("a/b/two"));
      await disk.mkdir(tree.at("a/c"), 0o700);
      await disk.rmdir(tree.at("a/c"));
      await syncDirectory(disk, tree.at("a"));
      expect([
        (await disk.readdir(tree.at("a/b"))).map(({ name }) => name),
        await disk.readlink(tree.at("link")),
        (await disk.lstat(tree.at("link"))).isSymbolicLink(),
        statSync(tree.at("a/b")).mode & 0o777,
        readdirSync(tree.path).toSorted(),
      ]).toEqual([["three"], "target", true, 0o700, ["a", "link"]]);
    });

    test("fails with the system's codes", async () => {
      using tree = new TemporaryTree({ file: "", link: { link: "file" }, dangling: { link: "nothing" } });
      const codes = await Promise.all(
        [
          disk.lstat(tree.at("nothing")),
          disk.open(tree.at("link"), readFlags),
          disk.open(tree.at("file"), createFlags, 0o600),
          disk.mkdir(tree.at("file")),
          disk.rmdir(tree.at("file")),
          disk.link(tree.at("file"), tree.at("link")),
          disk.rename(tree.at("nothing"), tree.at("x")),
          disk.unlink(tree.at("nothing")),
          makeDirectory(disk, tree.at("dangling/below")),
          makeDirectory(disk, tree.at("file/below")),
        ].map((call) => call.then(() => "done").catch((error: { code?: string }) => error.code)),
      );
      expect(codes).toEqual([
        "ENOENT",
        "ELOOP",
        "EEXIST",
        "EEXIST",
        "ENOTDIR",
        "EEXIST",
        "ENOENT",
        "ENOENT",
        "ENOENT",
        "ENOTDIR",
      ]);
    });

    test("writes to a file that was opened for reading are refused", async () => {
      using tree = new TemporaryTree({ file: "old" });
      const file = await disk.open(tree.at("file"), readFlags);
      await expect(file.write(bytesOf("new"))).rejects.toMatchObject({ code: "EBADF" });
      await file.close();
      expect(readFileSync(tree.at("file"), "utf8")).toBe("old");
    });
  });
}
