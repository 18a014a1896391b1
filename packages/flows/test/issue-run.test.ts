// From an issue to a pull request, with processes that die on the way and remotes that refuse.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FlowRecord } from "@codelia/shared-types";
import { GitHubStandIn, refusal } from "./support/github-server.ts";
import { type Death, processIssue, type Scene, SimulatedProcess } from "./support/issue-process.ts";
import { Desk } from "./support/repositories.ts";

function scene(desk: Desk, github: GitHubStandIn, more: Partial<Scene> = {}): Scene {
  github.issues.set(12, { title: "Prices are wrong", body: null, state: "open", labels: ["bug"] });
  return { desk, github, journals: new Map<string, FlowRecord[]>(), ...more };
}

/** What there is in the end, wherever it is kept. */
function world({ desk, github }: Scene): unknown {
  return {
    branches: desk.run(desk.remote, "for-each-ref", "--format=%(refname)").split("\n"),
    commits: desk.run(desk.remote, "log", "--format=%s", "feature/issue-12").split("\n"),
    fixed: desk.run(desk.remote, "show", "feature/issue-12:fixed.txt"),
    pulls: github.pulls.map(({ head, base, title }) => [head, base, title]),
    comments: github.comments.map(({ body }) => body.split("\n")[0]),
    labels: github.issues.get(12)?.labels,
    violations: github.violations,
  };
}

const finished = {
  branches: ["refs/heads/feature/issue-12", "refs/heads/main"],
  commits: ["Prices are wrong", "begin"],
  fixed: "fixed",
  pulls: [["feature/issue-12", "main", "Prices are wrong"]],
  comments: [
    "Worked on in `feature/issue-12`, derived from `main`: pushed to `origin`, proposed in https://github.example/acme/shop/pull/100.",
  ],
  labels: ["bug", "done"],
  violations: [],
};

async function failure(action: Promise<unknown>): Promise<string> {
  return await action.then(
    () => "no error",
    (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
  );
}

describe("a run on an issue", () => {
  test("ends in a pushed branch, a pull request, a comment and labels", async () => {
    using desk = new Desk();
    await using github = new GitHubStandIn();
    const at = scene(desk, github);
    const { result, finished: done } = await processIssue(at, 12);
    expect([result.success, world(at), done?.pullRequest?.number]).toEqual([true, finished, 100]);
  });

  test("that is killed at any step ends, resumed, in exactly one branch, pull request and comment", async () => {
    const deeds = await killedEverywhere(process.env.CODELIA_CRASHES === "all");
    const steps = [
      "note",
      "git update-ref",
      "git worktree",
      "git reset",
      "journal run.start",
      "journal run.end",
    ];
    const later = ["git add", "git commit-tree", "git push", "POST", "journal work.end"];
    expect([...steps, ...later].filter((step) => !deeds.includes(step))).toEqual([]);
  }, 900_000);

  test("that failed to push goes on from there: nothing before it is done again", async () => {
    using desk = new Desk();
    await using github = new GitHubStandIn();
    const at = scene(desk, github);
    desk.git("remote", "set-url", "origin", desk.tree.at("gone.git"));
    const said = await failure(processIssue(at, 12));
    expect(said).toStartWith("RemoteUnreachable: origin cannot be reached: ");
    expect(said).toEndWith(
      `Everything is kept: feature/issue-12 in ${desk.repository}/.worktrees/issue-12. Go on with: codelia agent resume run-1`,
    );
    desk.git("remote", "set-url", "origin", desk.remote);
    await processIssue(at, 12);
    expect(world(at)).toEqual(finished);
  });

  test("whose branch somebody else pushed overwrites nothing", async () => {
    using desk = new Desk();
    await using github = new GitHubStandIn();
    const at = scene(desk, github, {
      act: (worktree) => {
        writeFileSync(join(worktree, "fixed.txt"), "fixed\n");
        const other = desk.run(desk.remote, "commit-tree", "-m", "theirs", "main^{tree}");
        desk.run(desk.remote, "update-ref", "refs/heads/feature/issue-12", other);
      },
    });
    desk.run(desk.remote, "config", "user.email", "x@example.com");
    const said = await failure(processIssue(at, 12));
    expect([said.split(":")[0], desk.run(desk.remote, "log", "--format=%s", "feature/issue-12")]).toEqual([
      "PushRejected",
      "theirs",
    ]);
  });

  test("whose remote refuses the branch, or lost it, says so and keeps everything", async () => {
    using desk = new Desk();
    await using github = new GitHubStandIn();
    const at = scene(desk, github);
    desk.tree.add({ "remote.git/hooks/": "" });
    writeFileSync(join(desk.remote, "hooks/pre-receive"), "#!/bin/sh\necho not on a friday >&2\nexit 1\n", {
      mode: 0o755,
    });
    const rejected = await failure(processIssue(at, 12));
    desk.run(desk.remote, "config", "core.hooksPath", "/dev/null");
    // Pushed, and then the pull request is refused; meanwhile somebody deletes the branch.
    github.fault = ({ path, method }) =>
      method === "POST" && path.endsWith("/pulls") ? refusal(403, "no") : undefined;
    const forbidden = await failure(processIssue(at, 12));
    github.fault = () => undefined;
    desk.run(desk.remote, "update-ref", "-d", "refs/heads/feature/issue-12");
    writeFileSync(join(desk.repository, ".worktrees/issue-12/more.txt"), "more\n");
    const deleted = await failure(processIssue(at, 12));
    expect([
      rejected.includes("not on a friday"),
      ...[rejected, forbidden, deleted].map((text) => text.split(":")[0]),
    ]).toEqual([true, "PushRejected", "Forbidden", "RemoteBranchDeleted"]);
    expect(desk.run(join(desk.repository, ".worktrees/issue-12"), "log", "--format=%s")).toBe(
      "Prices are wrong\nPrices are wrong\nbegin",
    );
  });
});

describe("a merge", () => {
  const settings = { push: false, pullRequest: false, merge: true, comment: false, addLabels: [] };

  test("moves the branch that it derives from, and the worktree where that is checked out", async () => {
    using desk = new Desk();
    await using github = new GitHubStandIn();
    const at = scene(desk, github, {
      settings,
      act: (worktree) => {
        writeFileSync(join(worktree, "fixed.txt"), "fixed\n");
        desk.git("commit", "--quiet", "--allow-empty", "-m", "meanwhile");
      },
    });
    writeFileSync(join(desk.repository, "mine.txt"), "mine\n");
    await processIssue(at, 12);
    expect([
      desk.git("log", "--format=%s", "--first-parent"),
      desk.git("status", "--porcelain"),
      desk.git("show", "HEAD:fixed.txt"),
    ]).toEqual(["Merge feature/issue-12 into main\nmeanwhile\nbegin", "?? mine.txt", "fixed"]);
  });

  test("that conflicts, or would overwrite somebody's changes, is a failure that keeps everything", async () => {
    using desk = new Desk();
    await using github = new GitHubStandIn();
    const change = (text: string) => (worktree: string) => writeFileSync(join(worktree, "README.md"), text);
    const at = scene(desk, github, {
      settings,
      act: (worktree) => {
        change("ours\n")(worktree);
        writeFileSync(join(desk.repository, "README.md"), "theirs\n");
        desk.git("commit", "--quiet", "--all", "-m", "theirs");
      },
    });
    const conflict = await failure(processIssue(at, 12));
    github.issues.set(13, { title: "Second", body: null, state: "open", labels: [] });
    writeFileSync(join(desk.repository, "README.md"), "not committed\n");
    const blocked = await failure(processIssue({ ...at, act: change("other\n") }, 13));
    expect([
      conflict.split(". ")[0],
      blocked.split(" is checked out")[0],
      desk.git("log", "--format=%s"),
      desk.git("status", "--porcelain"),
      desk.run(join(desk.repository, ".worktrees/issue-12"), "log", "--format=%s"),
    ]).toEqual([
      "MergeConflict: feature/issue-12 conflicts with main in README.md",
      "MergeBlocked: main",
      "theirs\nbegin",
      "M README.md".padStart(12),
      "Prices are wrong\nbegin",
    ]);
  });
});

describe("the commit check", () => {
  test("fails a flow that changed nothing, and with `require` one that left changes", async () => {
    using desk = new Desk();
    await using github = new GitHubStandIn();
    const nothing = await failure(processIssue(scene(desk, github, { act: () => undefined }), 12));
    github.issues.set(13, { title: "Second", body: null, state: "open", labels: [] });
    const left = await failure(processIssue({ ...scene(desk, github), settings: { commit: "require" } }, 13));
    expect([nothing.split("\n")[0], left.split("\n")[0], github.pulls]).toEqual([
      "NothingCommitted: The flow ended and changed nothing: feature/issue-12 is still where it began, at main.",
      "UncommittedChanges: The flow left a change that is not committed: fixed.txt. Commit or remove them, then resume.",
      [],
    ]);
  });

  test("does not enter a repository that the model made: its settings start nothing", async () => {
    using desk = new Desk();
    await using github = new GitHubStandIn();
    const trace = desk.tree.at("trace");
    const at = scene(desk, github, {
      act: (worktree) => {
        const inner = join(worktree, "inner");
        desk.run(worktree, "init", "--quiet", inner);
        desk.run(inner, "commit", "--quiet", "--allow-empty", "-m", "inner");
        desk.run(worktree, "-c", "advice.addEmbeddedRepo=false", "add", "inner");
        desk.run(worktree, "commit", "--quiet", "-m", "a repository in it");
        desk.run(inner, "config", "core.fsmonitor", `touch ${trace}; false`);
        writeFileSync(join(worktree, "fixed.txt"), "fixed\n");
      },
    });
    await processIssue(at, 12);
    const { existsSync } = await import("node:fs");
    expect([
      existsSync(trace),
      desk.run(desk.remote, "log", "--format=%s", "feature/issue-12").split("\n").length,
    ]).toEqual([false, 3]);
  });
});

/** @output the names of the deeds at which a process was killed */
async function killedEverywhere(isComplete: boolean): Promise<string[]> {
  const whole = new SimulatedProcess();
  {
    using desk = new Desk();
    await using github = new GitHubStandIn();
    await processIssue(scene(desk, github), 12, whole);
  }
  const all = whole.deeds.flatMap((_, index): Death[] => [
    { deed: index + 1, when: "before" },
    { deed: index + 1, when: "after" },
  ]);
  // The short run dies right after everything that others can see, and where the run itself begins and ends.
  const isTelling = ({ deed, when }: Death) =>
    when === "after" &&
    !/^journal (host|effect|iteration|transition)|^git (add|write-tree|commit-tree)/.test(
      whole.deeds[deed - 1] ?? "",
    );
  const deaths = isComplete ? all : all.filter(isTelling);
  const wrong: unknown[] = [];
  const waiting = [...deaths];
  const worker = async () => {
    for (let death = waiting.shift(); death !== undefined; death = waiting.shift()) {
      using desk = new Desk();
      await using github = new GitHubStandIn();
      const at = scene(desk, github);
      const process = new SimulatedProcess(death);
      await processIssue(at, 12, process).catch(() => undefined);
      const isKilled = process.isDead;
      const end = await processIssue(at, 12);
      if (!end.result.success) {
        wrong.push({ death, deed: process.deeds.at(-1), result: end.result });
        continue;
      }
      const found = world(at);
      const runs = [...at.journals.values()].filter((records) => records.at(-1)?.type === "work.end").length;
      if (!isKilled || !Bun.deepEquals(found, finished) || runs !== 1)
        wrong.push({ death, isKilled, found, runs });
    }
  };
  await Promise.all([worker(), worker()]);
  expect(wrong).toEqual([]);
  return whole.deeds;
}
