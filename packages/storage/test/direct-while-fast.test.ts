import { expect, test } from "bun:test";
import { DirectWhileFast } from "../src/disk/direct-while-fast.ts";

/** How many of these operations, each taking so many milliseconds, are done on this thread. */
async function direct(durations: Iterable<number>): Promise<number> {
  let [time, count] = [0, 0];
  const operations = new DirectWhileFast(50, () => time);
  for (const duration of durations) {
    await operations.run(
      () => {
        time += duration;
        count += 1;
      },
      () => Promise.resolve(),
    );
  }
  return count;
}

const often = (count: number, duration: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => duration(index));

test("operations leave this thread for good once the file system was slow for 50 ms", async () => {
  expect(await direct(often(1000, () => 0.9))).toBe(1000);
  expect(await direct(often(1000, () => 11))).toBe(5);
  expect(await direct([60, ...often(1000, () => 0.01)])).toBe(1);
});

test("one that is held up now and then, as on a busy machine, does not make a file system slow", async () => {
  expect(await direct(often(10_000, (index) => (index % 200 === 0 ? 8 : 0.01)))).toBe(10_000);
  // One in ten is the file system's doing.
  expect(await direct(often(10_000, (index) => (index % 10 === 0 ? 8 : 0.01)))).toBe(71);
});
