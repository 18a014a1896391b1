// Work on issues from the command line.
import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { GitHubStandIn } from "../../flows/test/support/github-server.ts";
import { outcomeOf } from "./flow-desk.ts";
import { IssuesDesk } from "./issues-desk.ts";

const title = { title: "Prices are wrong", body: null, state: "open" as const, labels: ["bug"] };

/** What there is in the end on GitHub and on the remote. */
function world(desk: IssuesDesk, github: GitHubStandIn): unknown {
  return {
    branches: desk.git.run(desk.git.remote, "for-each-ref", "--format=%(refname:short)"),
    subjects: desk.git.run(desk.git.remote, "log", "--format=%s", "feature/issue-12"),
    pulls: github.pulls.map(({ head, base }) => `${head} into ${base}`),
    comments: github.comments.length,
    violations: github.violations,
  };
}

const finished = {
  branches: "feature/issue-12\nmain",
  subjects: "Prices are wrong\nbegin",
  pulls: ["feature/issue-12 into main"],
  comments: 1,
  violations: [],
};

describe("codelia agent run --issue", () => {
  test("works offline on a local issue, pushes, and is seen and removed by worktrees", async () => {
    using desk = new IssuesDesk();
    const { code, stderr } = await desk.run("--issue", "1", "-c", "issues.finalise.push=true");
    const shown = stderr.split("\n").map((line) => line.replaceAll(/[0-9a-f]{12,40}|\d{8}T\d{6}-/g, "…"));
    expect([code, shown.slice(0, 2), shown.filter((line) => /^[✓✗] (commit|push)/.test(line))]).toEqual([
      0,
      [
        "issue 1: First",
        `  feature/issue-1 from main (issue_field: ${desk.git.repository}/.codelia/issues/1.md:3) at …`,
      ],
      ["✓ commit done: …", "✓ push done: …"],
    ]);
    const listed = await desk.command("worktrees");
    const taken = await desk.run("--issue", "1");
    const pruned = await desk.command("worktrees", "prune");
    const empty = await desk.command("worktrees", "list");
    expect([
      listed.stdout.split(/ {2,}/).slice(0, 6),
      [taken.code, taken.stderr.startsWith("failed")],
      taken.stderr.includes("To begin anew, remove it first: codelia worktrees prune 1."),
      pruned.stdout,
      empty.stdout,
    ]).toEqual([
      ["#1", "finished", "feature/issue-1", ".worktrees/issue-1", "fixer", "from main (issue_field)"],
      [1, true],
      true,
      "#1  removed, with feature/issue-1\n",
      "No issue is worked on here.\n",
    ]);
  }, 120_000);

  test("ends in a pull request on GitHub, whose address is the output", async () => {
    using desk = new IssuesDesk();
    await using github = new GitHubStandIn();
    github.issues.set(12, title);
    desk.useGitHub(github);
    const { code, stdout, stderr } = await desk.run("--issue", "12");
    expect([code, stdout, world(desk, github), stderr.includes("token-of-an")]).toEqual([
      0,
      "https://github.example/acme/shop/pull/100\n",
      finished,
      false,
    ]);
    expect(new Set(github.asked.map(({ authorization }) => authorization))).toEqual(
      new Set(["Bearer token-of-an-enterprise"]),
    );
  }, 120_000);

  test("is refused with what to do: no branch, no such branch, no such issue, no token, no remote", async () => {
    using desk = new IssuesDesk();
    const [none, missing, unknown, noToken] = await Promise.all([
      desk.run("--issue", "2", "--origin", "nowhere"),
      desk.run("--issue", "3"),
      desk.run("--issue", "99"),
      desk.run("--issue", "1", "-c", "issues.finalise.pullRequest=true"),
    ]);
    const elsewhere = ["-c", "issues.finalise.push=true", "-c", "issues.remote=elsewhere"];
    const noRemote = await desk.run("--issue", "2", ...elsewhere);
    const words = [none, missing, unknown, noToken, noRemote].map(({ code, stderr }) => [
      code,
      /codelia: (.*?)[,:]/.exec(stderr)?.[1],
    ]);
    expect(words).toEqual([
      [1, 'There is no branch "nowhere"'],
      [1, 'There is no branch "gone"'],
      [1, "There is no issue 99"],
      [1, "A pull request needs GitHub"],
      // Before the flow, which costs something, and not after it.
      [1, "There is no remote elsewhere to push to. Add it"],
    ]);
    expect((await desk.command("worktrees", "--json")).stdout).toContain('"worktrees": []');
    expect((await desk.command("agent", "runs")).stdout).toBe("There are no runs of this repository yet.\n");
  }, 120_000);
});

describe("work on an issue whose flow succeeded and whose push failed", () => {
  test("has the flow's iterations in its Result, and so has the resumed run that fails again", async () => {
    using desk = new IssuesDesk();
    desk.git.git("remote", "set-url", "origin", desk.git.tree.at("gone.git"));
    const failed = await desk.run("--issue", "1", "-c", "issues.finalise.push=true", "--json");
    const resumed = await desk.command("agent", "resume", await desk.runId(), "--trust", "--json");
    const ends = [failed, resumed].map((run) => {
      const { status, result } = outcomeOf(run);
      return [run.code, status, result.failure?.code, result.iterations, result.summaries.length];
    });
    expect(ends).toEqual([
      [1, "failed", "RemoteUnreachable", 1, 1],
      [1, "failed", "RemoteUnreachable", 1, 1],
    ]);
  }, 120_000);
});

describe("a run on an issue that is ended from outside", () => {
  test("by SIGKILL while its pull request is being opened, is resumed to exactly one of each", async () => {
    using desk = new IssuesDesk();
    await using github = new GitHubStandIn();
    github.issues.set(12, title);
    desk.useGitHub(github);
    const process = desk.start(...desk.arguments("--issue", "12"));
    // The request took effect; the answer never arrives.
    github.losesAnswer = ({ method, path }) => {
      if (method === "POST" && path.endsWith("/pulls")) process.kill("SIGKILL");
      return false;
    };
    await process.exited;
    github.losesAnswer = () => false;
    const resumed = await desk.command("agent", "resume", await desk.runId(), "--trust");
    expect([process.signalCode, resumed.code, world(desk, github)]).toEqual(["SIGKILL", 0, finished]);
  }, 120_000);

  test("by Ctrl-C while the model works, stays open, and goes on in its session and worktree", async () => {
    using desk = new IssuesDesk();
    // Longer than anything here takes: only the interrupt ends it.
    desk.play({ delay_ms: 600_000 });
    await using github = new GitHubStandIn();
    github.issues.set(12, title);
    desk.useGitHub(github);
    // Relative to where the user is, which is not the worktree.
    const model = ["-m", "scripted/../script.json"];
    const process = desk.start(...desk.arguments("--issue", "12", "--json", ...model));
    let seen = "";
    for await (const chunk of process.stdout) {
      seen += new TextDecoder().decode(chunk);
      // The tool has done its work, and the model takes its time for the answer.
      if (seen.includes('"tool.finished"')) break;
    }
    process.kill("SIGINT");
    const code = await process.exited;
    const resume = ["agent", "resume", await desk.runId(), "--trust"];
    rmSync(desk.git.tree.at("script.json"));
    const without = await desk.command(...resume);
    desk.play({});
    const open = await desk.command("worktrees", "--json");
    const resumed = await desk.command(...resume);
    expect([code, without.code, open.stdout.includes('"state": "interrupted"'), resumed.code]).toEqual([
      130,
      1,
      true,
      0,
    ]);
    expect(without.stderr).toBe(
      `codelia: ${desk.git.tree.at("script.json")}: there is no such file\nName an existing script or recording.\n`,
    );
    expect(world(desk, github)).toEqual(finished);
  }, 120_000);
});

describe("a run on an issue that failed", () => {
  test("keeps what it did, and every command says how to work on there", async () => {
    using desk = new IssuesDesk();
    desk.playFailure();
    const failed = await desk.run("--issue", "1");
    const run = await desk.runId();
    const second = await desk.run("--issue", "1");
    const resumed = await desk.command("agent", "resume", run, "--trust");
    const listed = await desk.command("worktrees");
    const several = await desk.run("--issues", "1");
    const way = "codelia agent run fixer --issue 1 --again";
    const kept = `What it did is kept: feature/issue-1 in ${desk.git.repository}/.worktrees/issue-1. To work on there: ${way}`;
    expect([failed.code, failed.stderr.split("\n").slice(-4)]).toEqual([
      1,
      ["codelia: the key is not accepted", kept, `See what it did with: codelia agent logs ${run}`, ""],
    ]);
    expect([second.code, second.stderr.split("\n").slice(1)]).toEqual([
      1,
      [
        `codelia: Issue 1 was worked on by run ${run}, which has ended without finishing it. ${kept}`,
        "codelia: To begin anew, remove it first: codelia worktrees prune 1.",
        "",
      ],
    ]);
    expect([resumed.code, resumed.stderr]).toEqual([
      1,
      `codelia: ${run}: this run has ended\n${kept}\nSee what came of it with: codelia agent logs ${run}\n`,
    ]);
    expect(listed.stdout).toMatch(/^#1 {2}failed {2}.* {2}1 uncommitted\n\n/);
    expect(listed.stdout).toEndWith(`\n\n#1 has ended; to work on there: ${way}\n`);
    expect(several.stderr).toContain(`#1  Issue 1 was worked on by run ${run},`);
    expect(desk.git.run(`${desk.git.repository}/.worktrees/issue-1`, "status", "--porcelain")).toBe(
      "?? half.txt",
    );
  }, 120_000);

  test("is worked on with --again by a new run, on its branch and in its worktree, with all that is there", async () => {
    using desk = new IssuesDesk();
    desk.playFailure();
    await desk.run("--issue", "1");
    const first = await desk.runId();
    desk.play({});
    // The branch derives from where it began, also when main went on.
    desk.git.git("commit", "--quiet", "--allow-empty", "-m", "later");
    const elsewhere = await desk.run("--issue", "1", "--again", "--origin", "nowhere");
    const again = await desk.run("--issues", "1-2", "--again", "-c", "issues.finalise.push=true");
    const done = await desk.command("worktrees", "--json");
    expect([
      elsewhere.code,
      again.code,
      desk.git.run(desk.git.remote, "log", "--format=%s", "--name-only", "feature/issue-1", "--not", "main"),
      desk.git.run(desk.git.remote, "log", "-1", "--format=%s", "feature/issue-2"),
      [...done.stdout.matchAll(/"state": "(.*)"/g)].map(([, state]) => state),
      done.stdout.includes(first),
    ]).toEqual([1, 0, "First\n\nfixed.txt\nhalf.txt", "Second", ["finished", "finished"], false]);
  }, 120_000);

  test("or was finished: --again adds to its branch and its pull request", async () => {
    using desk = new IssuesDesk();
    await using github = new GitHubStandIn();
    github.issues.set(12, title);
    desk.useGitHub(github);
    await desk.run("--issue", "12");
    desk.play({}, "more.txt");
    const again = await desk.run("--issue", "12", "--again");
    expect([again.code, again.stdout, world(desk, github)]).toEqual([
      0,
      "https://github.example/acme/shop/pull/100\n",
      { ...finished, subjects: "Prices are wrong\nPrices are wrong\nbegin", comments: 2 },
    ]);
  }, 120_000);

  test("is not begun, and names no run, where its worktree cannot be made", async () => {
    using desk = new IssuesDesk();
    desk.git.tree.add({ "repository/.worktrees": "in the way\n" });
    const { code, stderr } = await desk.run("--issue", "1");
    expect([code, stderr.split("\n").slice(-2)]).toEqual([
      1,
      [
        `codelia: ${desk.git.repository}/.worktrees is not a directory, and worktrees of issues belong there. Move it away.`,
        "",
      ],
    ]);
  }, 120_000);
});

test("several issues run at once, and one that fails does not stop the others", async () => {
  using desk = new IssuesDesk();
  const { code, stdout } = await desk.run(
    "--issues",
    "1-3",
    "--parallel",
    "2",
    "-c",
    "issues.finalise.merge=true",
  );
  const rows = stdout
    .trim()
    .split("\n")
    .map((line) => line.split(/ {2,}/).slice(0, 3).join(" | ").split(", ")[0]);
  expect([code, rows, desk.git.git("log", "--no-merges", "--format=%s").split("\n").toSorted()]).toEqual([
    1,
    [
      "#1 | feature/issue-1 | done: merged into main",
      "#2 | feature/issue-2 | done: merged into main",
      '#3 | failed: There is no branch "gone"',
    ],
    ["First", "Second", "begin"],
  ]);
}, 120_000);
