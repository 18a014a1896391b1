// What is written into pull requests and comments.
import type { IssueWork } from "@codelia/shared-types";
import { markerOf, type PullRequestDraft } from "../issues/index.ts";
import type { FinishedWork } from "./finalise.ts";

export function pullRequestDraft(work: IssueWork, run: string): PullRequestDraft {
  const { issue, branch, origin, instance, finalise } = work;
  const marker = markerOf(instance, "pull-request");
  // Only an issue of the same place can be closed by its number.
  const reference =
    issue.source === "github" ? `Closes #${issue.number}` : `Issue ${issue.number}: ${issue.title}`;
  return {
    branch,
    base: origin.branch,
    title: issue.title,
    body: `${reference}\n\nRun \`${run}\` on \`${branch}\`, derived from \`${origin.branch}\`.\n\n${marker}\n`,
    marker,
    draft: finalise.draft,
  };
}

export function commentText({ branch, origin }: IssueWork, finished: FinishedWork): string {
  const { pullRequest, pushedTo, mergedInto, commit } = finished;
  const done = [
    ...(mergedInto === undefined ? [] : [`merged into \`${mergedInto}\``]),
    ...(pushedTo === undefined ? [] : [`pushed to \`${pushedTo}\``]),
    ...(pullRequest === undefined ? [] : [`proposed in ${pullRequest.url}`]),
  ];
  const what = done.length === 0 ? `committed as ${commit.slice(0, 12)}` : done.join(", ");
  return `Worked on in \`${branch}\`, derived from \`${origin.branch}\`: ${what}.`;
}
