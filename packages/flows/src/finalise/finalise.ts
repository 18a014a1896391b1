// What becomes of the work on an issue when its flow is complete: committed, merged, pushed, proposed, told.
import type { IssueWork } from "@codelia/shared-types";
import { type AgentError, asAgentError, ConfigurationError, errorOf } from "../error.ts";
import { type IssueSource, markerOf, type PullRequest, type PullRequests } from "../issues/index.ts";
import type { WorkPlaces } from "../worktree/index.ts";
import { requireCommitted } from "./commit.ts";
import { HostEffects, type HostEffectsOptions } from "./host-effects.ts";
import { mergeIntoOrigin, probeMerge } from "./merge.ts";
import { probePush, pushBranch } from "./push.ts";
import { commentText, pullRequestDraft } from "./texts.ts";

export interface FinaliseOptions extends HostEffectsOptions {
  readonly places: WorkPlaces;
  readonly work: IssueWork;
  readonly run: string;
  readonly issues: IssueSource;
  /** Needed when the plan has a pull request. */
  readonly pullRequests: PullRequests | undefined;
}

/** What was done for the issue. */
export interface FinishedWork {
  readonly commit: string;
  readonly mergedInto?: string;
  readonly pushedTo?: string;
  readonly pullRequest?: PullRequest;
  readonly comment?: string;
}

/**
 * Done by the host, after the flow is complete, in this order; what the journal has as done is not done again.
 *
 * @output what was done
 * @effects those of the plan, each with its intent and its result in the run's journal
 * @error  AgentError; everything is kept, and the message says how to go on
 */
export async function finaliseWork(options: FinaliseOptions): Promise<FinishedWork> {
  try {
    return await finaliseInOrder(options);
  } catch (error) {
    throw withWayOn(asAgentError(error), options);
  }
}

async function finaliseInOrder({
  places,
  work,
  run,
  issues,
  pullRequests,
  ...rest
}: FinaliseOptions): Promise<FinishedWork> {
  const effects = new HostEffects(rest);
  const { finalise: plan, origin, remote, issue, instance } = work;
  const commit = await requireCommitted(places, work, run, effects);
  let finished: FinishedWork = { commit };
  if (plan.merge) {
    await effects.perform({
      intent: { kind: "merge", commit, into: origin.branch },
      act: () => mergeIntoOrigin(places, work, commit),
      probe: () => probeMerge(places, work, commit),
    });
    finished = { ...finished, mergedInto: origin.branch };
  }
  if (plan.push) {
    const pushed = effects.done("push").flatMap(({ commit: each }) => each ?? []);
    await effects.perform({
      intent: { kind: "push", commit, remote },
      act: () => pushBranch(places, work, commit, pushed),
      probe: () => probePush(places, work, commit),
    });
    finished = { ...finished, pushedTo: remote };
  }
  if (plan.pullRequest) {
    if (pullRequests === undefined) throw noPullRequests();
    const draft = pullRequestDraft(work, run);
    const { number = 0, url = "" } = await effects.perform({
      intent: { kind: "pull_request", base: draft.base, marker: draft.marker },
      act: async () => ({ ...(await pullRequests.open(draft)) }),
      probe: () => pullRequests.find(draft),
    });
    finished = { ...finished, pullRequest: { number, url } };
  }
  if (plan.comment) {
    const marker = markerOf(instance, "comment");
    const { url } = await effects.perform({
      intent: { kind: "comment", marker },
      act: () => issues.comment(issue.number, commentText(work, finished), marker),
      probe: () => issues.findComment(issue.number, marker),
    });
    if (url !== undefined) finished = { ...finished, comment: url };
  }
  const { addLabels: add, removeLabels: remove } = plan;
  if (add.length + remove.length > 0) {
    await effects.perform({
      intent: { kind: "labels", add, remove },
      act: async () => {
        await issues.label(issue.number, { add, remove });
        return {};
      },
      // To label twice is to label once.
      probe: async () => ({ state: "not_done" }),
    });
  }
  await effects.close();
  return finished;
}

export function noPullRequests(): ConfigurationError {
  return new ConfigurationError(
    "NoPullRequests",
    "A pull request needs GitHub: a remote there, and a token in GH_TOKEN. Set them, or set issues.finalise.pullRequest to false.",
  );
}

function withWayOn(error: AgentError, { work, run }: FinaliseOptions): AgentError {
  const kept = `Everything is kept: ${work.branch} in ${work.worktree}. Go on with: codelia agent resume ${run}`;
  const failure = error.toFailure();
  return errorOf({ ...failure, message: `${failure.message}\n${kept}` });
}
