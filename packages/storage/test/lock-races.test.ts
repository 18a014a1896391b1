// Several processes want one lock: one has it, whatever the order of their steps.
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { acquireLock, type Disk, nodeDisk } from "@codelia/storage";
import fc from "fast-check";
import { Contender } from "../../../test/support/contender.ts";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { ProcessWorld } from "./support/processes.ts";

const contender = join(import.meta.dir, "support/lock-contender.ts");

test("1,000 races of two processes: one wins, and the other says who", async () => {
  using tree = new TemporaryTree({});
  await using one = new Contender(contender);
  await using other = new Contender(contender);
  for (let race = 0; race < 1000; race += 1) {
    // Who is asked first has an advantage; each has it half of the time.
    const order = race % 2 === 0 ? [one, other] : [other, one];
    const answers = await Promise.all(order.map((each) => each.tell("acquire", tree.path)));
    const winner = order[answers.findIndex((answer) => Bun.deepEquals(answer, { held: true }))];
    expect({ race, answers }).toEqual({
      race,
      answers: order.map((each) => (each === winner ? { held: true } : { held: false, owner: winner?.pid })),
    });
    await winner?.tell("release", tree.path);
  }
  expect(readdirSync(tree.path)).toEqual([]);
});

test("four processes that take the lock a hundred times each never meet while they have it", async () => {
  using tree = new TemporaryTree({});
  await using stack = new AsyncDisposableStack();
  const contenders = [1, 2, 3, 4].map(() => stack.use(new Contender(contender)));
  const results = await Promise.all(contenders.map((each) => each.tell("work", tree.path)));
  expect(results).toEqual(contenders.map(() => ({ times: 100, meetings: 0 })));
  expect(readdirSync(tree.path)).toEqual([]);
});

test("a process that was killed is succeeded by exactly one of many, who learns of it", async () => {
  using tree = new TemporaryTree({});
  const dead = new Contender(contender);
  await dead.tell("acquire", tree.path);
  await dead.kill();
  await using one = new Contender(contender);
  await using other = new Contender(contender);
  const attempts = await Promise.all([
    ...Array.from({ length: 20 }, () => acquireLock(tree.path)),
    one.tell("acquire", tree.path),
    other.tell("acquire", tree.path),
  ]);
  const winners = attempts.filter(
    (attempt) => typeof attempt === "object" && attempt !== null && "held" in attempt && attempt.held,
  );
  expect(winners).toMatchObject([{ takenOverFrom: { pid: dead.pid } }]);
});

/** Contenders whose every step waits for its turn, given in an order that fast-check chooses. */
function scheduled(scheduler: fc.Scheduler, who: string): Disk {
  const turn = async <T>(step: string, action: () => Promise<T>): Promise<T> => {
    await scheduler.schedule(Promise.resolve(), `${who}: ${step}`);
    return await action();
  };
  return {
    ...nodeDisk,
    readdir: (path) => turn("list", () => nodeDisk.readdir(path)),
    open: (path, flags, mode) => turn("open", () => nodeDisk.open(path, flags, mode)),
    link: (existing, added) => turn("link", () => nodeDisk.link(existing, added)),
    unlink: (path) => turn("unlink", () => nodeDisk.unlink(path)),
  };
}

test("however the steps of three contenders and of a dead one follow each other, never two hold the lock", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 0, max: 3 }), async (scheduler, dying) => {
      using tree = new TemporaryTree({});
      const world = new ProcessWorld();
      const before = await acquireLock(tree.path, { processes: world.as(9) });
      world.end(9);
      const holders: number[] = [];
      const meetings: number[][] = [];
      let held = 0;
      const contend = async (pid: number) => {
        const disk = scheduled(scheduler, `process ${pid}`);
        for (let round = 0; round < 2; round += 1) {
          const attempt = await acquireLock(tree.path, { disk, processes: world.as(10 * pid + round) });
          if (!attempt.held) continue;
          held += 1;
          holders.push(pid);
          if (holders.length > 1) meetings.push([...holders]);
          await scheduler.schedule(Promise.resolve(), `process ${pid}: inside`);
          holders.splice(holders.indexOf(pid), 1);
          // One dies with the lock instead of giving it back.
          if (pid === dying && round === 0) world.end(10 * pid + round);
          else await attempt.release();
        }
      };
      await scheduler.waitFor(Promise.all([1, 2, 3].map(contend)));
      expect([before.held, held > 0, meetings]).toEqual([true, true, []]);
    }),
    { numRuns: 300 },
  );
});

/** A disk whose first new file waits; `arrived` tells when it does, `go` lets it. */
function heldUp() {
  const arrived = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const disk: Disk = {
    ...nodeDisk,
    open: async (path, flags, mode) => {
      if (mode !== undefined) {
        arrived.resolve();
        await go.promise;
      }
      return await nodeDisk.open(path, flags, mode);
    },
  };
  return { disk, arrived: arrived.promise, go: () => go.resolve() };
}

async function takeAndRelease(directory: string, world: ProcessWorld, pid: number): Promise<void> {
  const lock = await acquireLock(directory, { processes: world.as(pid) });
  if (lock.held) await lock.release();
}

test("a contender that was held up while the lock changed hands gives way to its holder", async () => {
  using tree = new TemporaryTree({});
  const world = new ProcessWorld();
  await acquireLock(tree.path, { processes: world.as(1) });
  world.end(1);
  const { disk, arrived, go } = heldUp();
  const late = acquireLock(tree.path, { disk, processes: world.as(2) });
  await arrived;
  // The dead one's claim is gone after this, so that the number which the late one wants is free, and not the lowest.
  await takeAndRelease(tree.path, world, 3);
  const holder = await acquireLock(tree.path, { processes: world.as(4) });
  go();
  expect([holder.held, await late]).toMatchObject([true, { held: false, owner: { pid: 4 } }]);
});

test("of two contenders that were held up at different numbers one has the lock", async () => {
  using tree = new TemporaryTree({});
  const world = new ProcessWorld();
  await acquireLock(tree.path, { processes: world.as(1) });
  world.end(1);
  const [high, low] = [heldUp(), heldUp()];
  const atTwo = acquireLock(tree.path, { disk: high.disk, processes: world.as(2) });
  await high.arrived;
  await takeAndRelease(tree.path, world, 3);
  const atOne = acquireLock(tree.path, { disk: low.disk, processes: world.as(4) });
  await low.arrived;
  high.go();
  low.go();
  const attempts = await Promise.all([atTwo, atOne]);
  expect(attempts.filter(({ held }) => held).length).toBe(1);
});
