// Real repositories for tests: a clone of a bare remote, worked on with the git that Codelia runs itself.
import { spawnSync } from "node:child_process";
import {
  Git,
  type GitPort,
  type NewIssue,
  openRepository,
  systemClock,
  type WorkPlaces,
} from "@codelia/flows";
import type { IssueWork } from "@codelia/shared-types";
import { nodeDisk, nodeFileSystem } from "@codelia/storage";
import { TemporaryTree, type TreeDescription } from "../../../../test/support/tree.ts";
import { createClosedGit } from "../../../runtime/src/programs/index.ts";

/** A user of git who has a name, and no other settings. */
export function userEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    GIT_CONFIG_NOSYSTEM: "1",
  };
}

export const userConfig = "[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n";

export class Desk implements Disposable {
  readonly tree: TemporaryTree;
  readonly repository: string;
  readonly remote: string;
  readonly env: Record<string, string>;
  readonly port: GitPort;

  /** @input files: of the first commit on main, which the remote has */
  constructor(files: TreeDescription = { "README.md": "hello\n" }, name = "repository") {
    this.tree = new TemporaryTree({ "home/.gitconfig": userConfig, "state/": "" });
    this.env = userEnvironment(this.tree.at("home"));
    this.repository = this.tree.at(name);
    this.remote = this.tree.at("remote.git");
    this.tree.add(Object.fromEntries(Object.entries(files).map(([path, text]) => [`${name}/${path}`, text])));
    // Without the samples of hooks, which take longer than all the rest.
    this.run(this.tree.path, "init", "--quiet", "--template=", "--bare", this.remote);
    this.git("init", "--quiet", "--template=");
    this.git("add", "--all");
    this.git("commit", "--quiet", "-m", "begin");
    this.git("remote", "add", "origin", this.remote);
    this.git("push", "--quiet", "origin", "main");
    this.port = createClosedGit(this.env, this.repository, new Set());
  }

  /** As the user would type it, in the main worktree. */
  git(...args: string[]): string {
    return this.run(this.repository, ...args);
  }

  run(cwd: string, ...args: string[]): string {
    const { status, stdout, stderr } = spawnSync("git", args, { cwd, env: this.env, encoding: "utf8" });
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
    return stdout.trimEnd();
  }

  async places(port: GitPort = this.port): Promise<WorkPlaces> {
    return await placesOf(port, this.repository, this.tree.at("state"));
  }

  [Symbol.dispose](): void {
    this.tree[Symbol.dispose]();
  }
}

export async function placesOf(port: GitPort, repository: string, directory: string): Promise<WorkPlaces> {
  const waiting = { clock: systemClock, random: Math.random };
  const git = new Git({ port, ...waiting });
  return {
    git,
    repository: await openRepository(git, repository),
    directory,
    fs: nodeFileSystem,
    disk: nodeDisk,
    now: () => new Date(),
    ...waiting,
  };
}

/** The work on an issue that derives from main. */
export async function workOn(places: WorkPlaces, issue: number): Promise<IssueWork> {
  const { branchOf, instanceOf, resolveOrigin, worktreeOf } = await import("@codelia/flows");
  const explicit = { source: "explicit", read: async () => ({ branch: "main", from: "--origin" }) } as const;
  return {
    issue: {
      number: issue,
      title: `Issue ${issue}`,
      body: "",
      labels: [],
      state: "open",
      source: "local",
      place: `.codelia/issues/${issue}.md`,
    },
    instance: instanceOf(issue, places.now()),
    branch: branchOf(issue),
    worktree: worktreeOf(places.repository.root, issue),
    origin: await resolveOrigin([explicit], places.git, places.repository, "origin"),
    remote: "origin",
    finalise: {
      commit: "all",
      merge: false,
      push: false,
      pullRequest: false,
      draft: false,
      comment: false,
      addLabels: [],
      removeLabels: [],
    },
  };
}

/** Of a desk on which every run can be resumed. */
export function newIssue(issue: number): NewIssue {
  return { issue, remote: "origin", again: false, standingOf: async () => "open" };
}
