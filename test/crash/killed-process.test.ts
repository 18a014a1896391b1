// A real process with a real SIGKILL, at some of the changes; `npm run test:crash` takes all of them.
import { expect, test } from "bun:test";
import { killMoments, killProcessAt } from "./killed-process.ts";

const patience = 15 * 60_000;
const step = 40;

test.each(killMoments)(
  "a process that is killed %s a change of the disk leaves a session that can be resumed",
  async (moment) => {
    const problems: string[] = [];
    for (let change = step / 2; ; change += step) {
      const killed = await killProcessAt(change, moment);
      if (killed.outcome === "finished") break;
      problems.push(...killed.problems);
    }
    expect(problems).toEqual([]);
  },
  patience,
);
