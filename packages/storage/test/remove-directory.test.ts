import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { type Disk, nodeDisk, removeDirectory, StorageError, sweepRemoved } from "@codelia/storage";
import { TemporaryTree } from "../../../test/support/tree.ts";

function session(): TemporaryTree {
  return new TemporaryTree({
    "outside/kept.txt": "kept",
    "folder/one/journal.jsonl": "1",
    "folder/one/blobs/a": "a",
    "folder/one/link": { link: "../../outside" },
    "folder/two/journal.jsonl": "2",
  });
}

/** A disk whose changes end with the one of this number, as if the process had. */
function endingAt(step: number): Disk {
  let steps = 0;
  const counted =
    <A extends unknown[], R>(action: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      steps += 1;
      if (steps >= step) throw Object.assign(new Error("ended"), { code: "EIO" });
      return await action(...args);
    };
  return {
    ...nodeDisk,
    rename: counted((from: string, to: string) => nodeDisk.rename(from, to)),
    unlink: counted((path: string) => nodeDisk.unlink(path)),
    rmdir: counted((path: string) => nodeDisk.rmdir(path)),
  };
}

describe("removeDirectory", () => {
  test("removes everything in it and follows no link", async () => {
    using tree = session();
    await removeDirectory(tree.at("folder/one"));
    expect([readdirSync(tree.at("folder")), existsSync(tree.at("outside/kept.txt"))]).toEqual([
      ["two"],
      true,
    ]);
  });

  test("ended at any step, leaves all of it or nothing under its name, and a sweep removes the rest", async () => {
    // A rename, three files, two directories; with the seventh step everything is through.
    const seen: boolean[] = [];
    for (let step = 1; step <= 6; step += 1) {
      using tree = session();
      const error = await removeDirectory(tree.at("folder/one"), endingAt(step)).catch(
        (each: unknown) => each,
      );
      expect(error).toBeInstanceOf(StorageError);
      const names = existsSync(tree.at("folder/one")) ? readdirSync(tree.at("folder/one")).toSorted() : [];
      seen.push(names.length > 0);
      if (names.length > 0) expect(names).toEqual(["blobs", "journal.jsonl", "link"]);
      await sweepRemoved(tree.at("folder"));
      expect(readdirSync(tree.at("folder")).toSorted()).toEqual(names.length > 0 ? ["one", "two"] : ["two"]);
    }
    expect(seen).toEqual([true, false, false, false, false, false]);
    using tree = session();
    await removeDirectory(tree.at("folder/one"), endingAt(7));
    expect(readdirSync(tree.at("folder"))).toEqual(["two"]);
  });
});
