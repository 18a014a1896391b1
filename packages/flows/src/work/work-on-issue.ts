// From a held issue to its end: worktree, flow, finalise. Whatever fails leaves everything as it is, to be resumed.
import type { AgentResult, FlowRecord, IssueWork, WorkClaim } from "@codelia/shared-types";
import type { FlowJournal, RunHistory } from "../execution/index.ts";
import { type FinishedWork, finaliseWork } from "../finalise/index.ts";
import type { IssueSource, PullRequests } from "../issues/index.ts";
import { type HeldIssue, prepareWorktree, type Worker, type WorkPlaces } from "../worktree/index.ts";

/** The run's journal, open again after the flow gave it back. */
export interface ReopenedRun {
  readonly journal: FlowJournal;
  readonly history: RunHistory;
  close(): Promise<void>;
}

export interface IssueRun {
  readonly places: WorkPlaces;
  readonly held: HeldIssue;
  readonly work: IssueWork;
  readonly worker: Worker;
  readonly issues: IssueSource;
  readonly pullRequests: PullRequests | undefined;
  /** Begins the flow in the worktree, or goes on with it. */
  readonly flow: (claim: WorkClaim) => Promise<AgentResult>;
  readonly reopen: () => Promise<ReopenedRun>;
  readonly onRecord?: (record: FlowRecord) => void;
}

export interface IssueRunEnd {
  readonly result: AgentResult;
  /** Absent when the flow did not succeed: nothing is pushed then. */
  readonly finished?: FinishedWork;
}

/**
 * @input  held: the issue, by this run; it is released when this returns
 * @effects the worktree, those of the flow, those of the plan
 * @error  AgentError; the worktree and the branch are kept, and the run can be resumed
 */
export async function workOnIssue(options: IssueRun): Promise<IssueRunEnd> {
  const { places, held, work, worker } = options;
  try {
    const claim = await prepareWorktree(places, held, work, worker);
    const result = await options.flow(claim);
    if (!result.success) return { result };
    const finished = await finalise(options);
    await held.note({ ...claim, state: "finished" });
    return { result, finished };
  } finally {
    await held.release();
  }
}

async function finalise({
  places,
  work,
  worker,
  issues,
  pullRequests,
  reopen,
  onRecord,
}: IssueRun): Promise<FinishedWork> {
  const run = await reopen();
  try {
    return await finaliseWork({
      places,
      work,
      run: worker.run,
      issues,
      pullRequests,
      journal: run.journal,
      history: run.history.host,
      ...(onRecord === undefined ? {} : { onRecord }),
    });
  } finally {
    await run.close();
  }
}
