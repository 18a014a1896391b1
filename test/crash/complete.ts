// Everything that the tests beside it take samples of, in full. Run by `npm run test:crash`; it takes minutes.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Fault, problemsWithFault } from "./failing-disk.ts";
import { killMoments, killProcessAt } from "./killed-process.ts";

const patience = 4 * 60 * 60_000;
const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);

beforeAll(() => {
  process.on("unhandledRejection", note);
});

afterAll(() => {
  process.off("unhandledRejection", note);
});

test.each(killMoments)(
  "a process that is killed %s any change of the disk leaves a session that can be resumed",
  async (moment) => {
    const problems: string[] = [];
    for (let change = 0; ; change += 1) {
      const killed = await killProcessAt(change, moment);
      if (killed.outcome === "finished") break;
      problems.push(...killed.problems);
    }
    expect(problems).toEqual([]);
  },
  patience,
);

// A disk that fails for good cannot give a lock back either, so EIO comes alone.
const faults: readonly Fault[] = [
  { code: "ENOSPC", lasts: true },
  { code: "ENOSPC", lasts: false },
  { code: "EIO", lasts: false },
  { code: "EMFILE", lasts: true },
  { code: "EMFILE", lasts: false },
];

test.each(faults)(
  "a disk that fails at any call (%j) gives a clear error, and a session that can be resumed",
  async (fault) => {
    expect(await problemsWithFault(fault, 1)).toEqual([]);
    expect(unhandled).toEqual([]);
  },
  patience,
);
