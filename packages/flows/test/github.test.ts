// GitHub as a source of issues, against a stand-in that knows GitHub's published descriptions.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import {
  GitHubClient,
  GitHubIssues,
  type GitHubOptions,
  GitHubPullRequests,
  hostOfApi,
  repositoryAt,
} from "@codelia/flows";
import { extractFile, generateGitHubApi } from "../../../scripts/generate-github-api.ts";
import { GitHubStandIn, refusal } from "./support/github-server.ts";
import { TestClock } from "./support/test-clock.ts";

const token = "ghp_a-secret-of-twenty-letters";

function connect(github: GitHubStandIn, options: Partial<GitHubOptions> = {}) {
  const clock = new TestClock();
  const client = new GitHubClient({
    apiUrl: github.apiUrl,
    owner: "acme",
    repo: "shop",
    token,
    fetch: (input, init) => fetch(input, init),
    clock,
    random: () => 0,
    now: () => new Date("2026-01-01T00:00:00Z"),
    userAgent: "codelia/test",
    ...options,
  });
  return {
    clock,
    issues: new GitHubIssues(client, { projects: true }),
    pulls: new GitHubPullRequests(client),
  };
}

function standIn(): GitHubStandIn {
  const github = new GitHubStandIn();
  github.issues.set(12, { title: "Prices are wrong", body: null, state: "open", labels: ["bug"] });
  return github;
}

async function failure(action: Promise<unknown>): Promise<string> {
  return await action.then(
    (value) => JSON.stringify(value),
    (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
  );
}

const draft = {
  branch: "feature/issue-12",
  base: "main",
  title: "Prices are wrong",
  body: "Closes #12\n\n<!-- marker -->\n",
  marker: "<!-- marker -->",
  draft: false,
};

describe("an issue on GitHub", () => {
  test("is read with its labels and the base_branch of its form", async () => {
    await using github = standIn();
    const body =
      "### What happens\n\nIt is wrong.\n\n### base_branch\n\n`release/2`\n\n### Other\n\n_No response_\n";
    github.issues.set(13, { title: "Form", body, state: "closed", labels: ["a b", "ü"] });
    expect([await connect(github).issues.read(13), github.violations]).toEqual([
      {
        number: 13,
        title: "Form",
        body,
        labels: ["a b", "ü"],
        state: "closed",
        source: "github",
        place: "https://github.example/acme/shop/issues/13",
        baseBranch: { branch: "release/2", from: "https://github.example/acme/shop/issues/13, line 7" },
      },
      [],
    ]);
    expect(github.asked[0]?.authorization).toBe(`Bearer ${token}`);
  });

  test("has the Target Branch of its open projects, and no branch where they disagree", async () => {
    await using github = standIn();
    const set = (projects: { title: string; branch: string | null; closed?: boolean }[]) =>
      github.issues.set(12, { title: "t", body: null, state: "open", labels: [], projects });
    const { issues } = connect(github);
    set([]);
    const none = await issues.targetBranch(12);
    set([
      { title: "Old", branch: "gone", closed: true },
      { title: "Empty", branch: null },
      { title: "Q1", branch: " next " },
    ]);
    const one = await issues.targetBranch(12);
    set([
      { title: "Q1", branch: "next" },
      { title: "Q2", branch: "main" },
    ]);
    expect([none, one, await failure(issues.targetBranch(12)), github.violations]).toEqual([
      undefined,
      { branch: "next", from: 'Target Branch of project 3, "Q1"' },
      'TargetBranchAmbiguous: The projects of issue 12 name different branches: "next" (Target Branch of project 1, "Q1"), "main" (Target Branch of project 2, "Q2"). Make them the same, or give --origin.',
      [],
    ]);
  });

  test("that is not there, or is a pull request, is a clear error", async () => {
    await using github = standIn();
    github.issues.set(14, { title: "PR", body: "", state: "open", labels: [], isPullRequest: true });
    const { issues } = connect(github);
    expect([await failure(issues.read(99)), await failure(issues.read(14))]).toEqual([
      "IssueNotFound: There is no issue 99 in acme/shop, or the token may not see it.",
      "BadIssue: https://github.example/acme/shop/issues/14 is a pull request and no issue",
    ]);
  });

  test("gets a comment once and its labels, however often it is asked for", async () => {
    await using github = standIn();
    for (let index = 0; index < 130; index += 1) github.comments.push({ issue: 12, body: `older ${index}` });
    const { issues } = connect(github);
    const first = await issues.comment(12, "Done.", "<!-- m -->");
    const second = await issues.comment(12, "Done.", "<!-- m -->");
    await issues.label(12, { add: ["done", "a/b c"], remove: ["bug", "never"] });
    expect([first, second, github.comments.at(-1)?.body, github.comments.length]).toEqual([
      second,
      first,
      "Done.\n\n<!-- m -->\n",
      131,
    ]);
    expect([github.issues.get(12)?.labels, github.violations]).toEqual([["done", "a/b c"], []]);
  });
});

describe("a pull request", () => {
  test("is opened once: it is looked for by its marker first, also when the answer was lost", async () => {
    await using github = standIn();
    const { pulls } = connect(github);
    let isLost = true;
    github.losesAnswer = ({ method }) => {
      const lost = isLost && method === "POST";
      if (lost) isLost = false;
      return lost;
    };
    const lost = await failure(pulls.open(draft));
    const found = await pulls.open(draft);
    expect([lost.split(":")[0], found, github.pulls.length, github.violations]).toEqual([
      "ConnectionError",
      { number: 100, url: "https://github.example/acme/shop/pull/100" },
      1,
      [],
    ]);
  });

  test("is the one that a person opened of the same branch, and not one that was closed", async () => {
    await using github = standIn();
    const { pulls } = connect(github);
    const other = { head: draft.branch, base: "main", title: "t", body: "by hand", draft: false };
    github.pulls.push({ ...other, number: 7, state: "closed" }, { ...other, number: 8, state: "open" });
    expect([(await pulls.open(draft)).number, github.pulls.length]).toEqual([8, 2]);
  });

  test("of a branch that was deleted is refused with what to do", async () => {
    await using github = standIn();
    github.hasBranch = (branch) => branch !== "main";
    expect(await failure(connect(github).pulls.open(draft))).toBe(
      "PullRequestRefused: GitHub did not open a pull request of feature/issue-12 into main: base is invalid. Are both branches there? Push what is missing, then resume the run.",
    );
  });
});

describe("GitHub's refusals", () => {
  test("for too many requests are waited out as long as it says, and not for ever", async () => {
    await using github = standIn();
    const limits = [
      refusal(429, "slow down", { "retry-after": "7" }),
      refusal(403, "secondary limit", { "retry-after": "3" }),
      refusal(403, "limit", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${1767225600 + 30}` }),
    ];
    github.fault = () => limits.shift();
    const { issues, clock } = connect(github);
    const read = await issues.read(12);
    github.fault = () =>
      refusal(403, "limit", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${1767225600 + 3600}` });
    expect([read.title, clock.waits, await failure(issues.read(12))]).toEqual([
      "Prices are wrong",
      [7000, 3000, 30_000],
      `RateLimitError: Cannot read issue 12 (${new URL(github.apiUrl).host}, acme/shop): limit. The rate limit is used up for longer than is waited. Try again later.`,
    ]);
  });

  test("of a request that changes something are not asked again when nobody knows what came of it", async () => {
    await using github = standIn();
    github.fault = ({ method }) => (method === "POST" ? refusal(502, "bad gateway") : undefined);
    const { issues, clock } = connect(github);
    const said = await failure(issues.comment(12, "text", "<!-- m -->"));
    expect([
      said.split(":")[0],
      clock.waits,
      github.asked.filter(({ method }) => method === "POST").length,
    ]).toEqual(["ConnectionError", [], 1]);
  });

  test("of a host that is down or in trouble are tried again, then told", async () => {
    await using github = standIn();
    let count = 0;
    github.fault = () => (++count < 3 ? refusal(503, "unavailable") : undefined);
    const { issues } = connect(github);
    const read = await issues.read(12);
    const down = connect(github, { apiUrl: "http://127.0.0.1:1/api/v3" });
    const said = await failure(down.issues.read(12));
    expect([
      read.number,
      said.split(":")[0],
      said.includes("Is the host up? Everything is kept"),
      down.clock.waits.length,
    ]).toEqual([12, "HostDown", true, 4]);
  });

  test("of the token say so, say what it needs, and never show it", async () => {
    await using github = standIn();
    const { issues } = connect(github);
    const headers = { "x-accepted-github-permissions": "issues=write" };
    const refusals = [
      refusal(401, `bad token ${token}`),
      refusal(403, "Resource not accessible", headers),
      refusal(301, "moved"),
    ];
    github.fault = () => refusals.shift();
    const said = [
      await failure(issues.read(12)),
      await failure(issues.read(12)),
      await failure(issues.read(12)),
    ];
    const where = `(${new URL(github.apiUrl).host}, acme/shop)`;
    expect(said).toEqual([
      `TokenRefused: Cannot read issue 12 ${where}: bad token [token]. The token was refused. Set a valid one (GH_TOKEN).`,
      `Forbidden: Cannot read issue 12 ${where}: Resource not accessible. The token has no right to it; it needs issues=write.`,
      `RepositoryMoved: Cannot read issue 12 ${where}: It moved: set issues.github.repository.`,
    ]);
  });
});

describe("the repository on GitHub", () => {
  test("is told by the remote's address", () => {
    const addresses = [
      "https://github.com/acme/shop.git",
      "https://user:secret@github.com/acme/shop",
      "git@github.com:acme/shop.git",
      "ssh://git@GitHub.example:2222/acme/my.shop.git/",
      "/srv/git/shop.git",
      "file:///srv/git/shop.git",
      "C:\\git\\shop",
      "https://github.com/acme",
    ];
    expect(addresses.map((address) => Object.values(repositoryAt(address) ?? {}).join(" "))).toEqual([
      "github.com acme shop",
      "github.com acme shop",
      "github.com acme shop",
      "github.example acme my.shop",
      "",
      "",
      "",
      "",
    ]);
    expect(["https://api.github.com", "https://git.acme.example/api/v3"].map(hostOfApi)).toEqual([
      "github.com",
      "git.acme.example",
    ]);
  });
});

test("the extract of GitHub's description is what its package holds", () => {
  const committed = readFileSync(extractFile, "utf8");
  // The package is 385 MB and mostly not installed: then at least its origin is named.
  const generated = generateGitHubApi() ?? committed;
  expect(JSON.parse(committed)).toEqual(JSON.parse(generated));
  expect(committed).toMatch(/"package": "@octokit\/openapi@\d+\.\d+\.\d+"/);
});
