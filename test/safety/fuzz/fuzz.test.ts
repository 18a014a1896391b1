// A short run of the grammar fuzz with a fixed seed; `npm run fuzz` is the long one.
import { expect, test } from "bun:test";
import { fuzz } from "./check.ts";

/** Hundreds of real commands on a machine of any speed. */
const patience = 15 * 60_000;

test(
  "a denied program never runs where the analysis says that it cannot, and what is called safe changes nothing",
  async () => {
    const report = await fuzz(5, 1000);
    expect(report.findings).toEqual([]);
    // Both sides are at work: the canary is really run, and the analysis does not just say yes to everything.
    expect([report.ran > 300, report.outOfReach > 50, report.safe > 20]).toEqual([true, true, true]);
  },
  patience,
);
