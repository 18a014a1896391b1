// One issue, one branch, one worktree, one instance: against real git.
import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import {
  type HeldIssue,
  prepareWorktree,
  pruneWorktrees,
  retakeIssue,
  takeNewIssue,
  type WorkPlaces,
} from "@codelia/flows";
import type { WorkClaim } from "@codelia/shared-types";
import { Desk, newIssue, workOn } from "./support/repositories.ts";

interface Begun {
  readonly held: HeldIssue;
  readonly claim: WorkClaim;
}

async function begin(places: WorkPlaces, issue: number, run = "run-1"): Promise<Begun> {
  const work = await workOn(places, issue);
  const { held } = await takeNewIssue(places, newIssue(issue));
  return { held, claim: await prepareWorktree(places, held, work, { run, agent: "fixer" }) };
}

async function failure(action: Promise<unknown>): Promise<string> {
  return await action.then(
    () => "no error",
    (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
  );
}

describe("work on an issue", () => {
  test("is one branch, one worktree and one instance, all named after it", async () => {
    using desk = new Desk();
    const places = { ...(await desk.places()), now: () => new Date("2026-01-02T03:04:05.678Z") };
    const { claim } = await begin(places, 12);
    expect(claim).toEqual({
      format: 1,
      issue: 12,
      run: "run-1",
      agent: "fixer",
      instance: "agent-issue-12-20260102T030405678Z",
      branch: "feature/issue-12",
      mark: "codelia: agent-issue-12-20260102T030405678Z, run run-1",
      worktree: join(desk.repository, ".worktrees/issue-12"),
      origin: {
        branch: "main",
        source: "explicit",
        from: "--origin",
        ref: "refs/heads/main",
        commit: desk.git("rev-parse", "main"),
      },
      since: "2026-01-02T03:04:05.678Z",
      state: "ready",
    });
    expect([
      desk.run(claim.worktree, "rev-parse", "--abbrev-ref", "HEAD"),
      readFileSync(join(claim.worktree, "README.md"), "utf8"),
      desk.run(claim.worktree, "status", "--porcelain"),
      // Nobody has to ignore the folder: git does not see it.
      desk.git("status", "--porcelain"),
    ]).toEqual(["feature/issue-12", "hello\n", "", ""]);
  });

  test("cannot be begun by a second one, which is told who has it", async () => {
    using desk = new Desk();
    const places = await desk.places();
    const first = await begin(places, 5);
    const refused = await failure(begin(places, 5, "run-2"));
    expect(refused).toStartWith(`IssueInUse: Issue 5 is being worked on by process ${process.pid} on `);
    expect(refused).toContain(`${first.claim.instance}, agent fixer`);
  });

  test("of an owner that died is taken over by its own run only", async () => {
    using desk = new Desk();
    const places = await desk.places();
    const { held, claim } = await begin(places, 5);
    writeFileSync(join(claim.worktree, "half.txt"), "half\n");
    await held.release();
    expect(await failure(begin(places, 5, "run-2"))).toStartWith("IssueTaken: Issue 5 belongs to run run-1");
    const work = await workOn(places, 5);
    const again = await retakeIssue(places, work, { run: "run-1", agent: "fixer" });
    const resumed = await prepareWorktree(places, again, work, { run: "run-1", agent: "fixer" });
    expect([resumed, readFileSync(join(claim.worktree, "half.txt"), "utf8")]).toEqual([claim, "half\n"]);
  });

  test("that died before its run began is taken over by the next run, if it holds nothing", async () => {
    using desk = new Desk();
    const places = await desk.places();
    const unknown = (issue: number) => ({ ...newIssue(issue), standingOf: async () => "gone" as const });
    const { held, claim } = await begin(places, 5);
    await held.release();
    // The origin moved meanwhile.
    desk.git("commit", "--quiet", "--allow-empty", "-m", "later");
    const { held: again } = await takeNewIssue(places, unknown(5));
    const second = await prepareWorktree(places, again, await workOn(places, 5), {
      run: "run-2",
      agent: "fixer",
    });
    await again.release();
    expect([second.run, second.mark, desk.run(second.worktree, "log", "-1", "--format=%s")]).toEqual([
      "run-2",
      claim.mark,
      "later",
    ]);
    // Somebody worked there after all.
    writeFileSync(join(second.worktree, "work.txt"), "work\n");
    expect(await failure(takeNewIssue(places, unknown(5)))).toStartWith("IssueTaken");
  });

  test("is taken up again after a run that has ended only where that is asked for, with all that is there", async () => {
    using desk = new Desk();
    const places = await desk.places();
    const { held, claim } = await begin(places, 5);
    desk.run(claim.worktree, "commit", "--quiet", "--allow-empty", "-m", "work");
    writeFileSync(join(claim.worktree, "half.txt"), "half\n");
    await held.release();
    desk.git("commit", "--quiet", "--allow-empty", "-m", "later");
    const ended = (again: boolean) => ({ ...newIssue(5), again, standingOf: async () => "ended" as const });
    expect(await failure(takeNewIssue(places, ended(false)))).toBe(
      `IssueTaken: Issue 5 was worked on by run run-1, which has ended without finishing it. What it did is kept: feature/issue-5 in ${claim.worktree}. To work on there: codelia agent run fixer --issue 5 --again\nTo begin anew, remove it first: codelia worktrees prune 5.`,
    );
    const open = { ...newIssue(5), again: true };
    expect(await failure(takeNewIssue(places, open))).toStartWith("IssueTaken: Issue 5 belongs to run run-1");

    const taken = await takeNewIssue(places, ended(true));
    const work = { ...(await workOn(places, 5)), origin: claim.origin, after: "run-1" };
    const second = await prepareWorktree(places, taken.held, work, { run: "run-2", agent: "fixer" });
    await taken.held.release();
    expect([
      taken.left,
      second.run,
      second.state,
      desk.run(second.worktree, "log", "-1", "--format=%s"),
      readFileSync(join(second.worktree, "half.txt"), "utf8"),
    ]).toEqual([claim, "run-2", "ready", "work", "half\n"]);

    // A branch of the same name that somebody else made is nobody's work of ours.
    desk.git("worktree", "remove", "--force", second.worktree);
    desk.git("branch", "--quiet", "-D", "feature/issue-5");
    desk.git("branch", "feature/issue-5");
    expect(await failure(takeNewIssue(places, ended(true)))).toStartWith("BranchExists");
  });

  test("goes on after a crash in the middle of its git: locks that nobody holds are removed, those of a git at work are not", async () => {
    using desk = new Desk();
    const places = await desk.places();
    const { held, claim } = await begin(places, 5);
    await held.release();
    const locks = [
      "worktrees/issue-5/index.lock",
      "worktrees/issue-5/HEAD.lock",
      "refs/heads/feature/issue-5.lock",
    ];
    const others = "worktrees/issue-6/index.lock";
    for (const path of [...locks, others]) desk.tree.add({ [`repository/.git/${path}`]: "" });
    const left = () => [...locks, others].filter((path) => existsSync(join(desk.repository, ".git", path)));
    const work = await workOn(places, 5);
    const worker = { run: "run-1", agent: "fixer" };
    const resume = async (isAfterCrash: boolean) => {
      const { pid } = spawnSync("true");
      const dead = { pid, host: hostname(), since: "2026-01-01T00:00:00.000Z", format: 1 };
      if (isAfterCrash) desk.tree.add({ "state/issue-5/lock.1": JSON.stringify(dead) });
      const again = await retakeIssue(places, work, worker);
      await prepareWorktree(places, again, work, worker);
      await again.release();
      return left();
    };
    const atWork = Bun.spawn(["git", "cat-file", "--batch"], { cwd: claim.worktree, stdin: "pipe" });
    const whileAtWork = await resume(true);
    atWork.kill();
    await atWork.exited;
    expect([whileAtWork, await resume(false), await resume(true)]).toEqual([
      [...locks, others],
      [...locks, others],
      [others],
    ]);
  });

  test("is refused where its branch, its worktree or the remote's branch is there already", async () => {
    using desk = new Desk();
    const places = await desk.places();
    desk.git("branch", "feature/issue-1");
    desk.tree.add({ "repository/.worktrees/issue-2/": "" });
    desk.git("push", "--quiet", "origin", "main:refs/heads/feature/issue-3");
    const refusals = await Promise.all([1, 2, 3].map((issue) => failure(begin(places, issue))));
    expect(refusals.map((text) => text.split(/, |: (?=some)/)[0])).toEqual([
      "BranchExists: The branch feature/issue-1 is there already",
      `WorktreeExists: ${desk.repository}/.worktrees/issue-2 is there already`,
      "BranchExists: origin has a branch feature/issue-3 already",
    ]);
    // Nothing was held on to.
    desk.git("branch", "-D", "feature/issue-1");
    expect((await begin(places, 1)).claim.state).toBe("ready");
  });

  test("leaves changes, a detached head and odd names of the user's own worktree alone", async () => {
    using desk = new Desk({ "a b/ä \u{1f98a}.txt": "1\n", "README.md": "hello\n" }, "my repo – 日本");
    desk.git("checkout", "--quiet", "--detach");
    writeFileSync(join(desk.repository, "README.md"), "changed\n");
    writeFileSync(join(desk.repository, "new.txt"), "new\n");
    const { claim } = await begin(await desk.places(), 7);
    expect([
      desk.git("status", "--porcelain"),
      desk.git("rev-parse", "--abbrev-ref", "HEAD"),
      readFileSync(join(claim.worktree, "a b/ä \u{1f98a}.txt"), "utf8"),
      readFileSync(join(claim.worktree, "README.md"), "utf8"),
      existsSync(join(claim.worktree, "new.txt")),
    ]).toEqual([" M README.md\n?? new.txt", "HEAD", "1\n", "hello\n", false]);
  });

  test("has the same sparse checkout as the main worktree", async () => {
    using desk = new Desk({ "in/a.txt": "a\n", "out/b.txt": "b\n", "README.md": "r\n" });
    desk.git("sparse-checkout", "set", "in");
    const { claim } = await begin(await desk.places(), 8);
    const there = ["README.md", "in/a.txt", "out/b.txt"].filter((path) =>
      existsSync(join(claim.worktree, path)),
    );
    expect([there, desk.run(claim.worktree, "status", "--porcelain")]).toEqual([
      ["README.md", "in/a.txt"],
      "",
    ]);
  });

  test("does not enter submodules", async () => {
    using desk = new Desk();
    using library = new Desk({ "lib.txt": "lib\n" });
    desk.git("-c", "protocol.file.allow=always", "submodule", "add", "--quiet", library.remote, "lib");
    desk.git("commit", "--quiet", "-m", "library");
    const places = await desk.places();
    const { claim, held } = await begin(places, 9);
    expect([
      existsSync(join(claim.worktree, "lib/lib.txt")),
      desk.run(claim.worktree, "status", "--porcelain"),
    ]).toEqual([false, ""]);
    desk.run(claim.worktree, "-c", "protocol.file.allow=always", "submodule", "update", "--init", "--quiet");
    await held.release();
    expect((await pruneWorktrees(places, [9])).map(({ removed, reasons }) => [removed, reasons])).toEqual([
      [false, ["holds other repositories: lib"]],
    ]);
  });

  test("belongs to the main worktree, wherever it is begun", async () => {
    using desk = new Desk();
    desk.git("worktree", "add", "--quiet", desk.tree.at("other"), "-b", "other");
    const fromOther = await placesAt(desk, desk.tree.at("other"));
    expect((await begin(fromOther, 3)).claim.worktree).toBe(join(desk.repository, ".worktrees/issue-3"));
  });

  test("makes a worktree again that was removed by hand, and uses none that is on another branch", async () => {
    using desk = new Desk();
    const places = await desk.places();
    const { held, claim } = await begin(places, 4);
    await held.release();
    rmSync(claim.worktree, { recursive: true });
    const work = await workOn(places, 4);
    const worker = { run: "run-1", agent: "fixer" };
    const again = await retakeIssue(places, work, worker);
    await prepareWorktree(places, again, work, worker);
    expect(existsSync(join(claim.worktree, "README.md"))).toBe(true);
    desk.run(claim.worktree, "checkout", "--quiet", "-b", "elsewhere");
    expect(await failure(prepareWorktree(places, again, work, worker))).toBe(
      `WorktreeMoved: ${claim.worktree} is on refs/heads/elsewhere, and this run works on feature/issue-4 there. Check that branch out in it, then resume.`,
    );
  });
});

async function placesAt(desk: Desk, path: string): Promise<WorkPlaces> {
  const { placesOf } = await import("./support/repositories.ts");
  return await placesOf(desk.port, path, desk.tree.at("state"));
}
