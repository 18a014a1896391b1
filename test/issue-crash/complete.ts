// Kills a run on an issue before and after every call of git and every request to GitHub. Run by
// `npm run test:issue-crash`; it takes minutes.
import { expect, test } from "bun:test";
import { type Death, killAndGoOn } from "./killed-issue.ts";

test(
  "a run on an issue that is killed anywhere goes on to exactly one branch, worktree, pull request and comment",
  async () => {
    const whole = await killAndGoOn({ at: "git", call: 0, when: "before" });
    const waiting = (["git", "request"] as const).flatMap((at) =>
      Array.from({ length: whole.calls[at] }, (_, index) => index + 1).flatMap((call): Death[] => [
        { at, call, when: "before" },
        { at, call, when: "after" },
      ]),
    );
    const count = waiting.length;
    const wrong: unknown[] = [];
    const worker = async (): Promise<void> => {
      for (let death = waiting.shift(); death !== undefined; death = waiting.shift()) {
        const end = await killAndGoOn(death).catch((error: unknown) => ({ error: String(error) }));
        if ("world" in end && end.wasKilled && Bun.deepEquals(end.world, whole.world)) continue;
        wrong.push({ death, end });
        process.stdout.write(`not the same after ${JSON.stringify(death)}\n`);
      }
    };
    await Promise.all([worker(), worker()]);
    process.stdout.write(`${count} deaths\n`);
    expect(wrong).toEqual([]);
  },
  4 * 60 * 60_000,
);
