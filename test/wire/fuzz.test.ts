// A short run of the wire fuzz with a fixed seed; `npm run fuzz:wire` is the long one.
import { expect, test } from "bun:test";
import { fuzzWire } from "./check.ts";

test("random and damaged frames are answered with messages, and the process lives", async () => {
  const report = await fuzzWire(7, 1000);
  expect(report.findings).toEqual([]);
  // All ways are walked: complaints, answers and real runs.
  expect([report.errors > 300, report.answers - report.errors > 50, report.runs > 3]).toEqual([
    true,
    true,
    true,
  ]);
});
