// What a run on an issue is going to be: the issue as it is now, its names, the branch it derives from, its end.
import {
  type BranchField,
  type FinalisePlan,
  type Issue,
  type IssuesSettings,
  type IssueWork,
  type OriginBranch,
  visibleName,
  type WorkClaim,
} from "@codelia/shared-types";
import { ConfigurationError, ExecutionError } from "../error.ts";
import { noPullRequests, requireRemote } from "../finalise/index.ts";
import type { IssueSource } from "../issues/index.ts";
import {
  branchOf,
  instanceOf,
  type OriginCandidates,
  resolveOrigin,
  type WorkPlaces,
  worktreeOf,
} from "../worktree/index.ts";

export interface PlanOptions {
  readonly places: WorkPlaces;
  readonly issues: IssueSource;
  readonly settings: IssuesSettings;
  readonly number: number;
  /** `--origin`. */
  readonly explicit: string | undefined;
  /** Where `issues.originBranch` was written. */
  readonly configPlace: string;
  readonly canOpenPullRequests: boolean;
  /** What a run that has ended left, where this one works on in it. */
  readonly left?: WorkClaim | undefined;
}

/**
 * @output the work, with nothing done yet
 * @effects reads the issue and, where nothing stronger names a branch, its projects
 * @error  as the source's `read` and `targetBranch`, and as `resolveOrigin`; ExecutionError IssueClosed;
 *         ConfigurationError for an end that cannot be reached, before anything was paid for
 */
export async function planWork(options: PlanOptions): Promise<IssueWork> {
  const { places, issues, settings, number } = options;
  const finalise = finalisePlan(settings);
  if (finalise.pullRequest && !options.canOpenPullRequests) throw noPullRequests();
  if (finalise.push) await requireRemote(places, settings.remote);
  const issue = await issues.read(number);
  if (issue.state === "closed") {
    throw new ExecutionError(
      "IssueClosed",
      `Issue ${number} is closed (${issue.place}). Open it again to work on it.`,
    );
  }
  const { repository, now } = places;
  const { left } = options;
  const origin =
    left === undefined ? await newOrigin(options, issue) : await sameOrigin(options, issue, left);
  return {
    issue,
    instance: instanceOf(number, now()),
    branch: branchOf(number),
    worktree: worktreeOf(repository.root, number),
    origin,
    remote: settings.remote,
    finalise,
    ...(left === undefined ? {} : { after: left.run }),
  };
}

async function newOrigin(options: PlanOptions, issue: Issue): Promise<OriginBranch> {
  const { git, repository } = options.places;
  return await resolveOrigin(candidates(options, issue), git, repository, options.settings.remote);
}

/** A branch derives from what it was made from, whatever is named now. @error ConfigurationError OriginDiffers */
async function sameOrigin(
  options: PlanOptions,
  issue: Issue,
  { origin, branch }: WorkClaim,
): Promise<OriginBranch> {
  if ((options.explicit ?? "").trim() === "") return origin;
  const wanted = await newOrigin(options, issue);
  if (wanted.branch === origin.branch) return origin;
  throw new ConfigurationError(
    "OriginDiffers",
    `${branch} derives from ${visibleName(origin.branch)}, not from ${visibleName(wanted.branch)}. Leave --origin out to work on there, or begin anew: codelia worktrees prune ${issue.number}.`,
  );
}

function candidates(
  { explicit, issues, settings, configPlace }: PlanOptions,
  issue: Issue,
): OriginCandidates {
  const named = (branch: string | undefined, from: string): BranchField | undefined =>
    branch === undefined ? undefined : { branch, from };
  return [
    { source: "explicit", read: async () => named(explicit, "--origin") },
    { source: "issue_field", read: async () => issue.baseBranch },
    { source: "project_field", read: () => issues.targetBranch(issue.number) },
    { source: "config", read: async () => named(settings.originBranch, configPlace) },
  ];
}

function finalisePlan({ finalise, source }: IssuesSettings): FinalisePlan {
  const isOnGitHub = source === "github";
  const { push = finalise.pullRequest ?? isOnGitHub, pullRequest = isOnGitHub && push } = finalise;
  if (pullRequest && !push) {
    throw new ConfigurationError(
      "BadFinalise",
      "issues.finalise.pullRequest needs issues.finalise.push: a pull request is of a branch that was pushed.",
    );
  }
  return { ...finalise, push, pullRequest };
}

/** @output values for those parameters of a flow that are named after a part of its issue */
export function issueArguments(
  parameters: Readonly<Record<string, unknown>> | undefined,
  { issue, branch, origin }: IssueWork,
): Record<string, string> {
  const values: Readonly<Record<string, string>> = {
    issue_number: String(issue.number),
    issue_title: issue.title,
    issue_body: issue.body,
    issue_labels: issue.labels.join(", "),
    issue_place: issue.place,
    branch,
    origin_branch: origin.branch,
  };
  return Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(parameters ?? {}, name)));
}
