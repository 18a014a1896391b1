// A process that works on an issue, simulated: it can die before or after everything that it does outside, and then
// does nothing any more. Its locks stay, as those of a killed process do.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { defaultSettings } from "@codelia/config";
import {
  build,
  type FlowJournal,
  foldRecords,
  GitHubClient,
  GitHubIssues,
  GitHubPullRequests,
  type GitPort,
  type IssueRunEnd,
  type NewIssue,
  planWork,
  resume,
  retakeIssue,
  takeNewIssue,
  type WorkPlaces,
  workOnIssue,
} from "@codelia/flows";
import type { AgentResult, FlowRecord, IssuesSettings, IssueWork } from "@codelia/shared-types";
import { type Disk, nodeDisk, type Processes } from "@codelia/storage";
import { agentFiles, validated } from "./definitions.ts";
import type { GitHubStandIn } from "./github-server.ts";
import { type Desk, placesOf } from "./repositories.ts";
import { ScriptedBridge } from "./scripted-bridge.ts";
import { TestClock } from "./test-clock.ts";

export class Killed extends Error {}

/** The number of the deed, from 1, and whether it still happens. */
export interface Death {
  readonly deed: number;
  readonly when: "before" | "after";
}

export class SimulatedProcess {
  readonly deeds: string[] = [];
  readonly #death: Death | undefined;
  #isDead = false;

  constructor(death?: Death) {
    this.#death = death;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Something that the world outside can see. */
  async deed<T>(name: string, action: () => Promise<T>): Promise<T> {
    if (this.#isDead) throw new Killed("dead");
    this.deeds.push(name);
    const isHere = this.deeds.length === this.#death?.deed;
    if (isHere && this.#death?.when === "before") this.#die();
    const result = await action();
    if (isHere) this.#die();
    if (this.#isDead) throw new Killed("dead");
    return result;
  }

  #die(): never {
    this.#isDead = true;
    throw new Killed("killed");
  }
}

/** What there is on disk besides git: the journals of runs. */
export type Journals = Map<string, FlowRecord[]>;

const changing = ["update-ref", "reset", "add", "commit-tree", "push", "merge", "write-tree"];

function mortalGit(process: SimulatedProcess, port: GitPort): GitPort {
  return {
    run: (args, call) => {
      const [command = "", action = ""] = args;
      const isChange = changing.includes(command) || (command === "worktree" && action !== "list");
      if (process.isDead) return Promise.reject(new Killed("dead"));
      return isChange ? process.deed(`git ${command}`, () => port.run(args, call)) : port.run(args, call);
    },
  };
}

function mortalDisk(process: SimulatedProcess): Disk {
  return {
    ...nodeDisk,
    rename: (from, to) =>
      to.endsWith("claim.json")
        ? process.deed("note", () => nodeDisk.rename(from, to))
        : nodeDisk.rename(from, to),
    // A dead process gives nothing back.
    unlink: (path) => (process.isDead ? Promise.reject(new Killed("dead")) : nodeDisk.unlink(path)),
  };
}

const living = new Map<number, SimulatedProcess>();

function processesOf(process: SimulatedProcess): Processes {
  const pid = 100_000 + living.size;
  living.set(pid, process);
  return {
    self: async () => ({ pid, host: "here" }),
    isAlive: async ({ pid: other }) => living.get(other)?.isDead === false,
  };
}

export interface Scene {
  readonly desk: Desk;
  readonly github: GitHubStandIn;
  readonly journals: Journals;
  readonly settings?: Partial<IssuesSettings["finalise"]>;
  /** What the model does in the worktree. */
  readonly act?: (worktree: string) => void;
}

const agent = agentFiles(
  { fix: { prompt: "prompts/fix.md", onPass: { complete: true } } },
  { parameters: { issue_title: {} } },
  { "prompts/fix.md": "Fix {param-issue_title}" },
);

/** As long as the desk: a resumed run reads its prompts where they were. */
function agentOf(desk: Desk): string {
  desk.tree.add(Object.fromEntries(Object.entries(agent).map(([path, text]) => [`agent/${path}`, text])));
  return desk.tree.at("agent");
}

/** @output how it ended: a second call with the same scene is the resumed run, or a new one where there was none */
export async function processIssue(
  scene: Scene,
  issue: number,
  process = new SimulatedProcess(),
): Promise<IssueRunEnd> {
  const { desk, github, journals, act = fix } = scene;
  const clock = new TestClock();
  const real = await placesOf(mortalGit(process, desk.port), desk.repository, desk.tree.at("state"));
  const places: WorkPlaces = { ...real, disk: mortalDisk(process), processes: processesOf(process) };
  const client = new GitHubClient({
    apiUrl: github.apiUrl,
    owner: "acme",
    repo: "shop",
    token: "token-of-the-test",
    fetch: (input, init) => {
      const change = () => fetch(input, init);
      return init?.method === "GET" ? change() : process.deed(`${init?.method}`, change);
    },
    clock,
    random: () => 0,
    now: () => new Date(),
    userAgent: "codelia/test",
  });
  const issues = new GitHubIssues(client, { projects: false });
  const pullRequests = new GitHubPullRequests(client);
  const open = [...journals].find(([, records]) => workOf(records)?.issue.number === issue);
  const run = open?.[0] ?? `run-${journals.size + 1}`;
  const worker = { run, agent: "fixer" };
  const known = open === undefined ? undefined : workOf(open[1]);
  const held =
    known === undefined
      ? (await takeNewIssue(places, newRunOn(issue, journals))).held
      : await retakeIssue(places, known, worker);
  const settings: IssuesSettings = {
    ...defaultSettings.issues,
    source: "github",
    finalise: { ...defaultSettings.issues.finalise, comment: true, addLabels: ["done"], ...scene.settings },
  };
  try {
    const plan = {
      places,
      issues,
      settings,
      number: issue,
      explicit: "main",
      configPlace: "",
      canOpenPullRequests: true,
    };
    const work = known ?? (await planWork(plan));
    const journal = journalOf(process, journals, run);
    return await workOnIssue({
      places,
      held,
      work,
      worker,
      issues,
      pullRequests,
      flow: async ({ worktree }) =>
        await runFlow(agentOf(desk), work, journal, journals.get(run), worktree, act, run),
      reopen: async () => {
        const history = foldRecords(journals.get(run) ?? []);
        if (history === undefined) throw new Error("no run");
        return { journal, history, close: async () => undefined };
      },
    });
  } finally {
    if (!process.isDead) await held.release();
  }
}

function newRunOn(issue: number, journals: Journals): NewIssue {
  const standingOf: NewIssue["standingOf"] = async (run) => (journals.has(run) ? "open" : "gone");
  return { issue, remote: "origin", again: false, standingOf };
}

async function runFlow(
  directory: string,
  work: IssueWork,
  journal: FlowJournal,
  records: readonly FlowRecord[] | undefined,
  worktree: string,
  act: (worktree: string) => void,
  run: string,
): Promise<AgentResult> {
  const clock = new TestClock();
  const bridge = new ScriptedBridge(() => {
    act(worktree);
    return "done";
  }, clock);
  // The answer of a query that was cut off is not known; what it did in the worktree is there, and it may be repeated.
  const decide = async () => ({ action: "repeat" }) as const;
  const dependencies = { bridge, journal, clock, random: () => 0.5, decide };
  const execution =
    records === undefined ? build(await validated(directory), dependencies) : resume(records, dependencies);
  if (records === undefined) {
    await execution.start({ cwd: worktree, id: run, args: { issue_title: work.issue.title }, work });
  }
  return await execution.run();
}

function journalOf(process: SimulatedProcess, journals: Journals, run: string): FlowJournal {
  return {
    append: (record) =>
      process.deed(`journal ${record.type}`, async () => {
        journals.set(run, [...(journals.get(run) ?? []), structuredClone(record)]);
      }),
    flush: async () => undefined,
  };
}

function workOf([start]: readonly FlowRecord[]): IssueWork | undefined {
  return start?.type === "run.start" ? start.work : undefined;
}

function fix(worktree: string): void {
  writeFileSync(join(worktree, "fixed.txt"), "fixed\n");
}
