// Kills `codelia agent run --issue` at a call of git or a request to GitHub, goes on as a person would, and looks at what
// there is in the end.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { FlowListResultSchema } from "@codelia/protocol";
import { IssuesDesk } from "../../packages/codelia/test/issues-desk.ts";
import { GitHubStandIn } from "../../packages/flows/test/support/github-server.ts";
import { untilNobodyNames } from "../support/processes.ts";
import { gitGate } from "./git-gate.ts";

export interface Death {
  readonly at: "git" | "request";
  /** The number of the call, from 1; 0 for none. */
  readonly call: number;
  /** `after`: it has taken effect, and nobody hears of it. */
  readonly when: "before" | "after";
}

/** What there is in the end, here and elsewhere. */
export interface World {
  readonly remoteBranches: string;
  readonly commits: string;
  readonly fixed: string;
  readonly branches: string;
  readonly worktrees: readonly string[];
  readonly locks: readonly string[];
  readonly pulls: readonly string[];
  readonly comments: number;
  readonly labels: readonly string[] | undefined;
  readonly violations: readonly string[];
}

export interface IssueEnd {
  readonly wasKilled: boolean;
  readonly world: World;
  /** Of the first process. */
  readonly calls: { readonly git: number; readonly request: number };
}

const labels = ["-c", 'issues.finalise.addLabels=["done"]', "-c", 'issues.finalise.removeLabels=["bug"]'];

/** @error when it does not end, whatever is tried */
export async function killAndGoOn(death: Death): Promise<IssueEnd> {
  using desk = new IssuesDesk();
  await using github = new GitHubStandIn();
  github.issues.set(12, { title: "Prices are wrong", body: null, state: "open", labels: ["bug"] });
  desk.useGitHub(github);
  const gate = gitGate(desk.git.tree, death.at === "git" ? death : { call: 0, when: "before" });
  const first = desk.startThrough(gate.through, desk.arguments("--issue", "12", ...labels));
  killAtRequest(github, death, () => first.kill("SIGKILL"));
  await Promise.all([new Response(first.stdout).text(), new Response(first.stderr).text(), first.exited]);
  const calls = { git: gate.calls(), request: github.asked.length };
  // Bubblewrap dies with it, or says how it died.
  const wasKilled = first.signalCode === "SIGKILL" || first.exitCode === 137;
  // What git was told to do before the death goes on to its end.
  await untilNobodyNames(desk.git.tree.path);
  const said: string[] = [];
  for (let isEnded = !wasKilled && first.exitCode === 0; !isEnded; ) {
    if (said.length > 3) throw new Error(`${JSON.stringify(death)} does not end:\n${said.join("\n")}`);
    const { code, stderr } = await goOn(desk);
    said.push(stderr);
    isEnded = code === 0;
  }
  return { wasKilled, world: worldOf(desk, github), calls };
}

/** The run that was begun, if there is one that has not ended; else the same command once more. */
async function goOn(desk: IssuesDesk): Promise<{ code: number; stderr: string }> {
  const { stdout } = await desk.command("agent", "runs", "--json");
  const open = FlowListResultSchema.parse(JSON.parse(stdout)).runs.find(({ state }) => state !== "done");
  return open === undefined
    ? await desk.run("--issue", "12", ...labels)
    : await desk.command("agent", "resume", open.id, "--trust");
}

function killAtRequest(github: GitHubStandIn, { at, call, when }: Death, kill: () => void): void {
  if (at !== "request" || call === 0) return;
  const isHere = () => github.asked.length === call;
  if (when === "after") {
    github.losesAnswer = () => {
      if (isHere()) kill();
      return false;
    };
    return;
  }
  github.fault = () => {
    if (!isHere()) return undefined;
    kill();
    return new Response(undefined, { status: 502 });
  };
}

function worldOf({ git }: IssuesDesk, github: GitHubStandIn): World {
  const branch = "feature/issue-12";
  return {
    remoteBranches: git.run(git.remote, "for-each-ref", "--format=%(refname:short)"),
    commits: git.run(git.remote, "log", "--format=%s", branch),
    fixed: git.run(git.remote, "show", `${branch}:fixed.txt`),
    branches: git.git("for-each-ref", "--format=%(refname:short)", "refs/heads"),
    worktrees: git
      .git("worktree", "list", "--porcelain")
      .split("\n")
      .filter((line) => line.startsWith("branch ")),
    locks: readdirSync(join(git.repository, ".git"), { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".lock"),
    ),
    pulls: github.pulls.map(({ head, base, title }) => `${head} into ${base}: ${title}`),
    comments: github.comments.length,
    labels: github.issues.get(12)?.labels,
    violations: github.violations,
  };
}
