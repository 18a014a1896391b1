// A flow that works on an issue: claimed, in a worktree of its own, and finished by the host.
import {
  AgentError,
  asAgentError,
  ExecutionError,
  type FinishedWork,
  failedResult,
  foldRecords,
  type HeldIssue,
  issueArguments,
  leavesRunOpen,
  planWork,
  type ReopenedRun,
  retakeIssue,
  takeNewIssue,
  wayOn,
  workOnIssue,
} from "@codelia/flows";
import type { Channel, FlowOutcome, FlowWork, Params } from "@codelia/protocol";
import type { AgentResult, IssueWork, WorkClaim } from "@codelia/shared-types";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { openRunJournal, parsedRecord, type ReadyFlow, standingOfRun } from "../flows/index.ts";
import { type IssueDesk, openIssueDesk } from "../issues/index.ts";
import type { Project } from "../project/index.ts";
import type { ActiveFlows } from "./active-flows.ts";
import { endedFlow, flowTelling, unbegunFlow } from "./flow-telling.ts";

export interface IssueFlow {
  readonly environment: RuntimeEnvironment;
  readonly options: RuntimeOptions;
  readonly flows: ActiveFlows;
  readonly channel: Channel;
  /** Where the user is. */
  readonly project: Project;
  readonly run: string;
  readonly agent: string;
  /** The folder of the run's journal. */
  readonly journal: string;
}

/** A flow that is ready to run in the worktree, or the Result that it has already. */
export type BeginFlow = (claim: WorkClaim, work: IssueWork) => Promise<ReadyFlow | AgentResult>;

type Wanted = Pick<Params<"flow.start">, "origin"> & { readonly issue: number; readonly again: boolean };

/** @output also for an issue that cannot be had: nothing was begun then @error ProtocolError */
export async function startIssueFlow(
  flow: IssueFlow,
  wanted: Wanted,
  begin: BeginFlow,
): Promise<FlowOutcome> {
  const { environment, project, channel } = flow;
  let desk: IssueDesk;
  let held: HeldIssue;
  let work: IssueWork;
  try {
    desk = await openIssueDesk(environment, project);
    const { places, settings, issues, configPlace, pullRequests } = desk;
    const { issue, again } = wanted;
    const scope = { codeliaHome: project.codeliaHome, repository: project.trust.identity };
    const standingOf = (run: string) => standingOfRun(environment.disk, scope, run);
    const taken = await takeNewIssue(places, { issue, remote: settings.remote, again, standingOf });
    ({ held } = taken);
    try {
      const canOpenPullRequests = pullRequests !== undefined;
      const plan = { places, settings, issues, configPlace, canOpenPullRequests, left: taken.left };
      work = await planWork({ ...plan, number: wanted.issue, explicit: wanted.origin });
    } catch (error) {
      await held.release();
      throw error;
    }
  } catch (error) {
    if (error instanceof AgentError) return unbegunFlow(failedResult(error), channel);
    throw error;
  }
  return await toItsEnd(flow, desk, { held, work, isBegun: false }, begin);
}

/** @error ExecutionError when somebody else has the issue */
export async function resumeIssueFlow(
  flow: IssueFlow,
  work: IssueWork,
  begin: BeginFlow,
): Promise<FlowOutcome> {
  const desk = await openIssueDesk(flow.environment, flow.project);
  const held = await retakeIssue(desk.places, work, { run: flow.run, agent: flow.agent });
  return await toItsEnd(flow, desk, { held, work, isBegun: true }, begin);
}

interface HeldWork {
  readonly held: HeldIssue;
  readonly work: IssueWork;
  /** The run is on disk. */
  readonly isBegun: boolean;
}

async function toItsEnd(
  flow: IssueFlow,
  desk: IssueDesk,
  { held, work, isBegun: wasBegun }: HeldWork,
  begin: BeginFlow,
): Promise<FlowOutcome> {
  const { flows, channel, run, agent } = flow;
  const interrupted = new AbortController();
  const telling = { refusedCalls: () => ready?.refusedCalls() ?? 0, unknown: () => ready?.unknown() };
  let ready: ReadyFlow | undefined;
  let flowResult: AgentResult | undefined;
  channel.emit({ type: "flow.work", run_id: run, work: wireWork(work, undefined) });
  /** @input hint: how to go on, where the Result does not say it */
  const ended = (result: AgentResult, finished?: FinishedWork, hint?: string): FlowOutcome => {
    const isOnDisk = wasBegun || ready !== undefined;
    const about = { work: wireWork(work, finished), ...(isOnDisk && hint !== undefined ? { hint } : {}) };
    return endedFlow(isOnDisk ? run : undefined, result, telling, channel, about);
  };
  const execute = async (claim: WorkClaim): Promise<AgentResult> => {
    if (!wasBegun && interrupted.signal.aborted)
      throw new ExecutionError("Interrupted", "The run was interrupted before it began.");
    requireUninterrupted(interrupted.signal);
    const begun = await begin(claim, work);
    if (!("execution" in begun)) {
      flowResult = begun;
      return begun;
    }
    ready = begun;
    const { execution } = begun;
    flowResult = await (interrupted.signal.aborted ? execution.interrupt() : execution.run());
    return flowResult;
  };
  const cancel = () => {
    interrupted.abort();
    void ready?.execution.interrupt();
  };
  try {
    const { places, issues, pullRequests } = desk;
    const working = () =>
      workOnIssue({
        places,
        held,
        work,
        worker: { run, agent },
        issues,
        pullRequests,
        flow: execute,
        reopen: () => reopen(flow, interrupted.signal),
        onRecord: flowTelling(channel).onRecord,
      });
    const { result, finished } = await flows.during(run, cancel, working, channel.signal);
    return ended(result, finished, wayOnFrom(result, work, agent));
  } catch (error) {
    // The flow may have succeeded; the run has not.
    const failed = {
      ...failedResult(asAgentError(error)),
      ...flowResult,
      ...failedOnly(asAgentError(error)),
    };
    return ended(failed);
  }
}

/** Of a flow that failed nothing can be resumed; what it did can be worked on in. */
function wayOnFrom({ success, failure }: AgentResult, work: IssueWork, agent: string): string | undefined {
  if (success || leavesRunOpen(failure?.code ?? "")) return undefined;
  return wayOn({ ...work, issue: work.issue.number, agent });
}

function failedOnly(
  error: AgentError,
): Pick<AgentResult, "success" | "completionReason" | "error" | "failure"> {
  const failure = error.toFailure();
  return { success: false, completionReason: "", error: failure.message, failure };
}

async function reopen(
  { environment, journal: folder, run }: IssueFlow,
  interrupted: AbortSignal,
): Promise<ReopenedRun> {
  requireUninterrupted(interrupted);
  const journal = await openRunJournal(environment, folder);
  const history = foldRecords(journal.records.map((record, index) => parsedRecord(run, index + 1, record)));
  if (history === undefined) throw new ExecutionError("NoRun", `The journal of run ${run} cannot be read.`);
  // Between two effects: what was begun is ended, the rest waits for the resumed run.
  const append: ReopenedRun["journal"]["append"] = async (record) => {
    if (record.type === "host.intent") requireUninterrupted(interrupted);
    return await journal.append(record);
  };
  return { journal: { append, flush: () => journal.flush() }, history, close: () => journal.close() };
}

function requireUninterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new ExecutionError("Interrupted", "The run was interrupted; it can be resumed.");
}

/** @output values for the parameters that the flow has and the user did not give */
export function argumentsFor(
  parameters: Parameters<typeof issueArguments>[0],
  work: IssueWork,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  return { ...issueArguments(parameters, work), ...given };
}

function wireWork(work: IssueWork, finished: FinishedWork | undefined): FlowWork {
  const { issue, instance, branch, worktree, origin } = work;
  const { branch: name, source, from, commit } = origin;
  return {
    issue: issue.number,
    title: issue.title,
    instance,
    branch,
    worktree,
    origin: { branch: name, source, from, commit },
    ...(work.after === undefined ? {} : { after: work.after }),
    ...(finished === undefined ? {} : { done: wireFinished(finished) }),
  };
}

function wireFinished(finished: FinishedWork): NonNullable<FlowWork["done"]> {
  const { commit, mergedInto, pushedTo, pullRequest, comment } = finished;
  return {
    commit,
    ...(mergedInto === undefined ? {} : { merged_into: mergedInto }),
    ...(pushedTo === undefined ? {} : { pushed_to: pushedTo }),
    ...(pullRequest === undefined ? {} : { pull_request: pullRequest }),
    ...(comment === undefined ? {} : { comment }),
  };
}
