// What prune removes and what it keeps, and why.
import { describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type HeldIssue,
  listIssueWorktrees,
  prepareWorktree,
  pruneWorktrees,
  takeNewIssue,
  unlockIssue,
  type WorkPlaces,
} from "@codelia/flows";
import type { WorkClaim } from "@codelia/shared-types";
import { Desk, newIssue, workOn } from "./support/repositories.ts";

async function work(
  places: WorkPlaces,
  issue: number,
): Promise<{ held: HeldIssue; claim: WorkClaim; commit: (desk: Desk, file: string) => void }> {
  const planned = await workOn(places, issue);
  const { held } = await takeNewIssue(places, newIssue(issue));
  const claim = await prepareWorktree(places, held, planned, { run: `run-${issue}`, agent: "fixer" });
  const commit = (desk: Desk, file: string) => {
    writeFileSync(join(claim.worktree, file), "work\n");
    desk.run(claim.worktree, "add", "--all");
    desk.run(claim.worktree, "commit", "--quiet", "-m", file);
  };
  return { held, claim, commit };
}

async function finished({ held, claim }: { held: HeldIssue; claim: WorkClaim }): Promise<void> {
  await held.note({ ...claim, state: "finished" });
  await held.release();
}

const verdicts = (pruned: Awaited<ReturnType<typeof pruneWorktrees>>) =>
  pruned.map(({ issue, removed, reasons }) => [issue, removed, ...reasons]);

describe("prune", () => {
  test("keeps what is not committed, not pushed, locked, under way or in use, and says why", async () => {
    using desk = new Desk();
    const places = await desk.places();
    const [dirty, ignored, unpushed, locked, merging, used] = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((issue) => work(places, issue)),
    );
    writeFileSync(join(dirty?.claim.worktree ?? "", "new.txt"), "new\n");
    writeFileSync(join(ignored?.claim.worktree ?? "", "README.md"), "changed\n");
    unpushed?.commit(desk, "a.txt");
    desk.git("worktree", "lock", "--reason", "on a stick", locked?.claim.worktree ?? "");
    desk.run(merging?.claim.worktree ?? "", "update-ref", "MERGE_HEAD", "main");
    for (const one of [dirty, ignored, unpushed, locked, merging]) if (one !== undefined) await finished(one);
    const before = desk.git("for-each-ref");
    const [last, ...others] = (await pruneWorktrees(places, undefined)).toReversed();
    expect(verdicts(others.toReversed())).toEqual([
      [1, false, "not committed: new.txt"],
      [2, false, "not committed: README.md"],
      [3, false, "1 commit is on no remote and not in the branch that it derives from"],
      [4, false, "locked by git (on a stick): git worktree unlock"],
      [5, false, "a merge is under way"],
    ]);
    expect([last?.issue, last?.removed, last?.reasons[0]?.slice(0, 17)]).toEqual([
      6,
      false,
      "in use by process",
    ]);
    expect([desk.git("for-each-ref"), existsSync(used?.claim.worktree ?? "")]).toEqual([before, true]);
  });

  test("removes worktree, branch and claim when a remote or the origin has every commit", async () => {
    using desk = new Desk();
    const places = await desk.places();
    const pushed = await work(places, 1);
    pushed.commit(desk, "a.txt");
    desk.git("push", "--quiet", "origin", "feature/issue-1");
    const merged = await work(places, 2);
    merged.commit(desk, "b.txt");
    desk.git("merge", "--quiet", "--no-edit", "feature/issue-2");
    await finished(pushed);
    await finished(merged);
    expect(verdicts(await pruneWorktrees(places, undefined))).toEqual([
      [1, true],
      [2, true],
    ]);
    expect([
      existsSync(pushed.claim.worktree),
      existsSync(merged.claim.worktree),
      desk.git("branch", "--format=%(refname:short)"),
      desk.git("worktree", "list").split("\n").length,
      await listIssueWorktrees(places),
    ]).toEqual([false, false, "main", 1, []]);
  });

  test("leaves a run that is not finished to be resumed, unless its issue is named", async () => {
    using desk = new Desk();
    const places = await desk.places();
    const { held } = await work(places, 3);
    await held.release();
    expect(verdicts(await pruneWorktrees(places, undefined))).toEqual([
      [3, false, "run run-3 did not finish it; to remove it all the same: codelia worktrees prune 3"],
    ]);
    expect(verdicts(await pruneWorktrees(places, [3, 99]))).toEqual([
      [3, true],
      [99, false, "there is no work on it here"],
    ]);
  });

  test("keeps what no run of Codelia made", async () => {
    using desk = new Desk();
    desk.git("worktree", "add", "--quiet", ".worktrees/issue-8", "-b", "feature/issue-8");
    expect(verdicts(await pruneWorktrees(await desk.places(), [8]))).toEqual([
      [8, false, "no run of Codelia made it"],
    ]);
  });
});

describe("unlock", () => {
  test("refuses while the owner runs here, and frees what another machine left", async () => {
    using desk = new Desk();
    const places = await desk.places();
    const { held } = await work(places, 1);
    const refused = await unlockIssue(places, 1).catch(({ code }: { code: string }) => code);
    await held.release();
    const elsewhere = { pid: 7, host: "elsewhere", since: "2026-01-01T00:00:00.000Z", format: 1 };
    writeFileSync(desk.tree.at("state/issue-1/lock.1"), JSON.stringify(elsewhere));
    const [row] = await listIssueWorktrees(places);
    expect([
      refused,
      row?.owner?.owner?.host,
      await unlockIssue(places, 1),
      await unlockIssue(places, 1),
    ]).toEqual([
      "OwnerAlive",
      "elsewhere",
      "process 7 on elsewhere since 2026-01-01T00:00:00.000Z",
      undefined,
    ]);
  });

  test("is not needed after a crash: the lock of a dead process is taken over", async () => {
    using desk = new Desk();
    const places = await desk.places();
    const child = spawn("true");
    await new Promise((resolve) => child.on("close", resolve));
    const { hostname } = await import("node:os");
    const dead = { pid: child.pid, host: hostname(), since: "2026-01-01T00:00:00.000Z", format: 1 };
    desk.tree.add({ "state/issue-1/lock.1": JSON.stringify(dead) });
    const { held } = await work(places, 1);
    expect(held.takenOverFrom).toMatchObject({ pid: dead.pid, since: dead.since });
  });
});
