// Many processes want the same issue, and many issues are worked on at the same time.
import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { GitHubStandIn } from "./support/github-server.ts";
import { processIssue } from "./support/issue-process.ts";
import { Desk } from "./support/repositories.ts";

const rounds = Number(process.env.CODELIA_CLAIMS ?? 6);
const contenders = 20;

class Claimer {
  readonly #child;
  readonly #lines;

  constructor(program: string, desk: Desk) {
    this.#child = spawn(process.execPath, [program, desk.repository, desk.tree.at("home")], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    const { value, done } = await this.#lines.next();
    return done === true ? "ended" : value;
  }

  async claim(issue: number, directory: string, name: string): Promise<string> {
    this.#child.stdin.write(`${issue}\t${directory}\t${name}\n`);
    return await this.line();
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("close", resolve));
    this.#child.stdin.end();
    await ended;
  }
}

test("of twenty processes that claim an issue exactly one wins, each time, with one home or with many", async () => {
  using desk = new Desk();
  const entrypoint = join(import.meta.dir, "support/claimer.ts");
  const { outputs } = await Bun.build({
    entrypoints: [entrypoint],
    target: "bun",
    outdir: desk.tree.at("program"),
  });
  const claimers = Array.from(
    { length: contenders },
    () => new Claimer(outputs[0]?.path ?? entrypoint, desk),
  );
  try {
    await Promise.all(claimers.map((claimer) => claimer.line()));
    const wrong: unknown[] = [];
    for (let issue = 1; issue <= rounds; issue += 1) {
      // Every other round nobody sees another's lock: the branch alone decides.
      const directory = (index: number) => desk.tree.at(issue % 2 === 0 ? `homes/${index}` : "state");
      const answers = await Promise.all(
        claimers.map((claimer, index) => claimer.claim(issue, directory(index), `${issue}-${index}`)),
      );
      const winners = answers.filter((answer) => answer === `${issue} won`).length;
      const others = answers.filter((answer) => !/ (won|IssueInUse|IssueTaken|BranchExists)$/.test(answer));
      if (winners !== 1 || others.length > 0) wrong.push({ issue, winners, others });
    }
    const worktrees = desk.git("worktree", "list").split("\n").length - 1;
    const branches = desk.git("branch", "--list", "feature/*").split("\n").length;
    expect([wrong, worktrees, branches]).toEqual([[], rounds, rounds]);
  } finally {
    await Promise.all(claimers.map((claimer) => claimer.end()));
  }
}, 3_600_000);

test("ten runs at the same time lose no commit, and no lock of git reaches anybody", async () => {
  using desk = new Desk();
  await using github = new GitHubStandIn();
  const numbers = Array.from({ length: 10 }, (_, index) => index + 1);
  for (const number of numbers)
    github.issues.set(number, { title: `Issue ${number}`, body: null, state: "open", labels: [] });
  const settings = { merge: true, comment: false, addLabels: [] };
  const ends = await Promise.all(
    numbers.map((number) => {
      const act = (worktree: string) => writeFileSync(join(worktree, `${number}.txt`), `${number}\n`);
      // Journals of their own: they are processes that share nothing but the repository.
      return processIssue({ desk, github, journals: new Map(), settings, act }, number);
    }),
  );
  const pushed = desk
    .run(desk.remote, "for-each-ref", "--format=%(refname:short)", "refs/heads/feature")
    .split("\n");
  expect([
    ends.filter(({ finished }) => finished !== undefined).length,
    desk.git("ls-files").split("\n").toSorted(),
    desk.git("log", "--no-merges", "--format=%s").split("\n").toSorted(),
    pushed.length,
    github.pulls.length,
    desk.git("status", "--porcelain"),
    desk.git("fsck", "--no-dangling", "--no-progress"),
  ]).toEqual([
    10,
    ["README.md", ...numbers.map((number) => `${number}.txt`)].toSorted(),
    ["begin", ...numbers.map((number) => `Issue ${number}`)].toSorted(),
    10,
    10,
    "",
    "",
  ]);
}, 600_000);
