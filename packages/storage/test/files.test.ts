import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import {
  createNodeFileSystem,
  type DirectStats,
  nodeFileSystem,
  readSmallFile,
  readTextFile,
  removeFile,
  writeFileAtomic,
} from "@codelia/storage";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { WatchedDisk } from "./support/watched-disk.ts";

describe("the real file system", () => {
  test("tells files, directories, links and the rest apart, and absence is a value", async () => {
    using tree = new TemporaryTree({
      file: "x",
      "directory/": "",
      link: { link: "file" },
      fifo: { fifo: true },
    });
    const kinds = await Promise.all(
      ["file", "directory", "link", "fifo", "nothing", "file/below"].map(
        async (name) => (await nodeFileSystem.lstat(tree.at(name)))?.kind,
      ),
    );
    expect(kinds).toEqual(["file", "directory", "link", "other", undefined, undefined]);
    expect((await nodeFileSystem.stat(tree.at("link")))?.kind).toBe("file");
  });

  test("opens a FIFO without waiting for a writer", async () => {
    using tree = new TemporaryTree({ fifo: { fifo: true } });
    const file = await nodeFileSystem.open(tree.at("fifo"));
    expect(file?.stat.kind).toBe("other");
    await file?.close();
  });

  test("takes stats directly while they are fast, and through the thread pool once they were slow", async () => {
    using tree = new TemporaryTree({ file: "" });
    let direct = 0;
    let slow = false;
    const take: DirectStats = {
      lstat: (path, options) => {
        direct += 1;
        if (slow) Bun.sleepSync(60);
        return lstatSync(path, options);
      },
      stat: statSync,
    };
    const fs = createNodeFileSystem(take);
    for (let call = 0; call < 5; call++) await fs.lstat(tree.at("file"));
    expect(direct).toBe(5);
    slow = true;
    await fs.lstat(tree.at("file"));
    const kinds = [
      await fs.lstat(tree.at("file")),
      await fs.lstat(tree.at("nothing")),
      await fs.stat(tree.path),
    ];
    expect([direct, kinds.map((stat) => stat?.kind)]).toEqual([6, ["file", undefined, "directory"]]);
  });

  test("throws everything that is not absence, with the system's code", async () => {
    using tree = new TemporaryTree({ loop: { link: "loop" } });
    await expect(nodeFileSystem.stat(tree.at("loop"))).rejects.toMatchObject({ code: "ELOOP" });
    await expect(nodeFileSystem.lstat("/x".repeat(5000))).rejects.toMatchObject({ code: "ENAMETOOLONG" });
  });

  test("reads a small file whole and refuses a larger one", async () => {
    using tree = new TemporaryTree({ four: "\ufeffä", five: "12345", "directory/": "" });
    const read = (name: string) => readSmallFile(nodeFileSystem, tree.at(name), 5);
    expect(await Promise.all(["four", "five", "directory", "nothing"].map(read))).toEqual([
      { outcome: "text", text: "ä" },
      { outcome: "text", text: "12345" },
      { outcome: "not_a_file" },
      { outcome: "absent" },
    ]);
    expect(await readSmallFile(nodeFileSystem, tree.at("five"), 4)).toEqual({ outcome: "too_large" });
  });

  test("reads a file that must be readable: its text, nothing where there is none, or an error in words", async () => {
    using tree = new TemporaryTree({ five: "12345", "folder/": "" });
    const read = (name: string) =>
      readTextFile(nodeFileSystem, tree.at(name), 4, (reason) => new Error(`${name}: ${reason}`)).catch(
        (error: Error) => error.message,
      );
    expect(await Promise.all(["five", "folder", "none"].map(read))).toEqual([
      "five: expected at most 4 bytes",
      "folder: expected a regular file",
      undefined,
    ]);
  });
});

describe("an atomic write", () => {
  test("makes missing directories and leaves nothing but the file, readable for the user alone", async () => {
    using tree = new TemporaryTree({});
    await writeFileAtomic(tree.at("a/b/file"), "one");
    await writeFileAtomic(tree.at("a/b/file"), "two");
    expect([readdirSync(tree.at("a/b")), readFileSync(tree.at("a/b/file"), "utf8")]).toEqual([
      ["file"],
      "two",
    ]);
    expect([statSync(tree.at("a")).mode & 0o777, statSync(tree.at("a/b/file")).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
  });

  test("that fails leaves the old content and no temporary file", async () => {
    using tree = new TemporaryTree({ "target/old": "old" });
    await expect(writeFileAtomic(tree.at("target"), "new")).rejects.toMatchObject({
      name: "StorageError",
      code: "write_failed",
      message: `${tree.at("target")}: cannot be written: is a directory (EISDIR)`,
      hint: "Move it away and try again.",
    });
    expect([readdirSync(tree.path), readFileSync(tree.at("target/old"), "utf8")]).toEqual([
      ["target"],
      "old",
    ]);
  });

  test("killed at any moment leaves the old content or the new one", async () => {
    using tree = new TemporaryTree({ file: "old".repeat(100_000) });
    const script = `import { writeFileAtomic } from "@codelia/storage";
      for (let round = 0; ; round++) await writeFileAtomic(${JSON.stringify(tree.at("file"))}, "new".repeat(100_000));`;
    for (let delay = 60; delay < 100; delay += 8) {
      spawnSync(process.execPath, ["-e", script], {
        cwd: import.meta.dir,
        timeout: delay,
        killSignal: "SIGKILL",
      });
      expect(["old".repeat(100_000), "new".repeat(100_000)]).toContain(readFileSync(tree.at("file"), "utf8"));
    }
  });

  for (const fate of ["ENOSPC", "EIO", "EMFILE"] as const) {
    test(`at any call that fails with ${fate} has happened or not, and is an error with a code`, async () => {
      using whole = new TemporaryTree({});
      const counted = new WatchedDisk();
      await writeFileAtomic(whole.at("a/b/file"), "new", counted);
      for (const at of counted.operations.keys()) {
        using tree = new TemporaryTree({ "a/b/file": "old" });
        const disk = new WatchedDisk(({ index }) => (index === at ? fate : "do"));
        const error = await writeFileAtomic(tree.at("a/b/file"), "new", disk).catch((each: unknown) => each);
        if (error !== undefined) expect(error).toMatchObject({ name: "StorageError", code: "write_failed" });
        const isRenamed =
          disk.operations.indexOf("rename file") !== at && disk.operations.includes("rename file");
        expect({
          at,
          left: readdirSync(tree.at("a/b")),
          content: readFileSync(tree.at("a/b/file"), "utf8"),
        }).toEqual({
          at,
          left: ["file"],
          content: isRenamed ? "new" : "old",
        });
      }
    });
  }

  test("removing says whether there was something", async () => {
    using tree = new TemporaryTree({ file: "" });
    expect([await removeFile(tree.at("file")), await removeFile(tree.at("file"))]).toEqual([true, false]);
  });
});
