// Samples of what `complete.ts` does at every call of git and every request.
import { expect, test } from "bun:test";
import { type Death, killAndGoOn } from "./killed-issue.ts";

/** Spread over the way from the claim to the labels. */
const deaths: readonly Death[] = [
  { at: "git", call: 12, when: "after" },
  { at: "git", call: 24, when: "before" },
  { at: "git", call: 36, when: "after" },
  { at: "request", call: 2, when: "after" },
  { at: "request", call: 6, when: "after" },
];

test("a run on an issue that is killed at a call of git or a request goes on to exactly one branch, worktree, pull request and comment", async () => {
  const whole = await killAndGoOn({ at: "git", call: 0, when: "before" });
  expect([whole.wasKilled, whole.calls.request, whole.world]).toEqual([
    false,
    8,
    {
      remoteBranches: "feature/issue-12\nmain",
      commits: "Prices are wrong\nbegin",
      fixed: "fixed",
      branches: "feature/issue-12\nmain",
      worktrees: ["branch refs/heads/main", "branch refs/heads/feature/issue-12"],
      locks: [],
      pulls: ["feature/issue-12 into main: Prices are wrong"],
      comments: 1,
      labels: ["done"],
      violations: [],
    },
  ]);
  for (const death of deaths) {
    const { wasKilled, world } = await killAndGoOn(death);
    expect({ death, wasKilled, world }).toEqual({ death, wasKilled: true, world: whole.world });
  }
}, 300_000);
