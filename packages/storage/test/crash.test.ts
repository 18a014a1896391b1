// Every call to the disk is, in turn, the last one, a half one, or one that fails.
import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openJournal } from "@codelia/storage";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { afterlife, allRecords, type Life, live, outcomeOf } from "./support/life-of-a-journal.ts";
import { ProcessWorld } from "./support/processes.ts";
import { readAll } from "./support/readings.ts";
import { type Fate, WatchedDisk } from "./support/watched-disk.ts";

function lifeIn(tree: TemporaryTree, decide: (index: number) => Fate = () => "do"): Life {
  const disk = new WatchedDisk(({ index }) => decide(index));
  return { directory: tree.at("sessions/one"), disk, world: new ProcessWorld(), acknowledged: [] };
}

async function operationsOfALife(): Promise<readonly string[]> {
  using tree = new TemporaryTree({});
  const life = lifeIn(tree);
  await live(life);
  return life.disk.operations;
}

/** What must hold whatever happened: nothing that came back is lost, nothing is made up, and it goes on. */
async function expectSound(life: Life, what: unknown): Promise<void> {
  const { before, after } = await afterlife(life);
  const isPrefix = Bun.deepEquals(before, allRecords.slice(0, before.length));
  const lost = life.acknowledged.length - before.length;
  expect({ what, isPrefix, isLost: lost > 0, after }).toEqual({
    what,
    isPrefix: true,
    isLost: false,
    after: { records: [...before, "after"], damage: undefined },
  });
}

for (const fate of ["kill", "half"] as const) {
  test(`killed at any call (${fate}): what was appended is there, and the next process goes on`, async () => {
    const operations = await operationsOfALife();
    for (const [at, operation] of operations.entries()) {
      using tree = new TemporaryTree({});
      const life = lifeIn(tree, (index) => (index === at ? fate : "do"));
      expect(await outcomeOf(life)).toBe("killed");
      await expectSound(life, { at, operation });
      const names = readdirSync(life.directory, { recursive: true, encoding: "utf8" });
      const left = names.filter((name) => /lock|tmp$/.test(name));
      expect({ at, operation, left }).toEqual({ at, operation, left: [] });
    }
  });
}

for (const fate of ["ENOSPC", "EIO", "EMFILE"] as const) {
  test(`a call that fails with ${fate} is an error with a code, and loses nothing`, async () => {
    const operations = await operationsOfALife();
    for (const [at, operation] of operations.entries()) {
      using tree = new TemporaryTree({});
      const life = lifeIn(tree, (index) => (index === at ? fate : "do"));
      const outcome = await outcomeOf(life);
      expect(["done", "write_failed", "unreadable"]).toContain(outcome);
      await expectSound(life, { at, operation, outcome });
    }
  });
}

test("from any call on the disk is full: an error with a code, and nothing is lost", async () => {
  const operations = await operationsOfALife();
  for (const [at, operation] of operations.entries()) {
    using tree = new TemporaryTree({});
    const life = lifeIn(tree, (index) => (index >= at ? "ENOSPC" : "do"));
    const outcome = await outcomeOf(life);
    expect(["done", "write_failed", "unreadable"]).toContain(outcome);
    await expectSound(life, { at, operation, outcome });
  }
});

test("writes that take half of what they are given, every one of them, are completed", async () => {
  using tree = new TemporaryTree({});
  const life: Life = {
    ...lifeIn(tree),
    disk: new WatchedDisk(({ name }) => (name.startsWith("write ") ? "short" : "do")),
  };
  expect(await outcomeOf(life)).toBe("done");
  expect((await afterlife(life)).before).toEqual(allRecords);
});

test("a real process that is killed while it writes loses nothing that it said it had written", async () => {
  using tree = new TemporaryTree({});
  let before = 0;
  for (let round = 1; round <= 5; round += 1) {
    const writer = spawn(process.execPath, [join(import.meta.dir, "support/journal-writer.ts"), tree.path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(writer, "exit");
    let said = 0;
    for await (const line of createInterface({ input: writer.stdout })) {
      said = Number(line);
      if (said >= before + 10 * round) writer.kill("SIGKILL");
    }
    await ended;
    const { records } = await readAll(tree.path);
    expect(records.length >= said).toBe(true);
    expect(records.map((each) => typeof each)).toEqual(records.map(() => "object"));
    before = records.length;
  }
  const journal = await openJournal(tree.path);
  expect([journal.nextSeq, typeof journal.takenOverFrom]).toEqual([before + 1, "object"]);
  await journal.close();
});
